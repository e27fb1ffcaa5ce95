// The flags of `run`, `search`, `parse`, `preview`, `play` and `thumbnail`: one row each, with its setter. Plugin
// options may not use the names in `all`, so a command line means the same with any plugins.

import Arguments
import Files
import HostErrors
import Packages
import Pictures
import RecordStreams
import VideoServices

extension RunArguments {
    private static let take = Flag<RunArguments>("take", value: "N", "output at most N rows, after sorting") {
        given, value throws(HostError) in given.request.take = try value.count()
    }

    private static let output = Flag<RunArguments>(
        "output", letter: "o", value: "FILE", "write to FILE, which is replaced only when the output is complete"
    ) { given, value throws(HostError) in
        if value.text.isEmpty { throw .usage("\(value.flag) needs the name of a file") }
        given.outputPath = value.text
    }

    /// Flags of a run.
    public static let run: [Flag<RunArguments>] = [
        Flag("plugin", letter: "p", value: "NAME[:OPTION=VALUE,…]", "add a plugin; repeatable, applied in order") {
            given, value throws(HostError) in given.request.stages.append(try RunRequest.Stage(value.text))
        },
        Flag("where", value: "EXPRESSION", "keep videos for which a Lua expression over their fields is true") {
            $0.request.stages.append(.keep(expression: $1.text))
        },
        Flag("by", value: "EXPRESSION", "sort by a Lua expression: numbers from high to low, text from A to Z") {
            $0.request.stages.append(.order(expression: $1.text))
        },
        Flag("print", value: "TEMPLATE", "print one line for each video: '{published:date}\\t{title}\\t{url}'") {
            $0.request.template = $1.text
        },
        Flag("input", letter: "i", value: "FILE", "read records from a file instead of searching; repeatable") {
            $0.request.inputs.append($1.text == "-" ? .standardInput : .file($1.text))
        },
        Flag(
            "from", value: "ORIGIN", "read feed:URL, page:URL, channel:REF, playlist:REF or a file of them; repeatable"
        ) { given, value throws(HostError) in given.request.origins.append(try FeedSource(value.text)) },
        Flag("as", value: "FORMAT", "the format of the inputs; detected by default") {
            $0.request.inputFormat = $1.text
        },
        Flag("strict", "fail on a record that cannot be read, instead of skipping it") { $0.request.isStrict = true },
        Flag("look-up", "ask services for unknown fields of records that were read, when they are needed") {
            $0.request.looksUp = true
        },
        Flag("fetch", value: "N", "read at most N rows from the source") { given, value throws(HostError) in
            given.request.fetch = try value.count()
        },
        take,
        output,
        Flag("tz", value: "ZONE", "time zone of dates in the output, such as Europe/Berlin; default UTC") {
            given, value throws(HostError) in given.request.zone = try TimeZones.rules(of: value.text)
        },
        Flag("seed", value: "N", "seed of random numbers; default 0") { given, value throws(HostError) in
            guard let seed = UInt64(value.text) else {
                throw .usage("\(value.flag): '\(value.text)' is not a whole number from 0")
            }
            given.request.seed = seed
        },
        Flag(
            "budget", value: "NAME=LIMIT,…",
            "limits: memory, cpu, wall, output, requests, calls, instructions; none lifts one"
        ) { given, value throws(HostError) in try given.request.budgets.apply(value.text) },
        Flag(
            "allow", value: "GRANT", "grant net:HOST, account:SOURCE, read:PATH, write:PATH, env:NAME or exec:NAME"
        ) { given, value throws(HostError) in
            let grant = try Grant(value.text)
            try given.request.grants.policy.check(grant)
            given.request.grants.forThisRun.append(grant)
        },
        Flag("locked", "run only plugins that are locked or shipped with ythost") { $0.isLocked = true },
        Flag("fail-empty", "exit with status 7 when nothing matches") { $0.request.failsWhenEmpty = true },
        Flag("dry-run", "show which calls the run would make and their cost; send nothing") {
            $0.request.isDry = true
        },
        Flag("offline", "use cached responses only; send nothing") { $0.network.isOffline = true },
        Flag("cache", value: "POLICY", "network-only, local-only, network-then-local, or local-then-network") {
            given, value throws(HostError) in try given.network.set(policy: value.text)
        },
        Flag("fresh", "revalidate cached responses; by default they are used for an hour") {
            $0.network.isFresh = true
        },
        Flag("profile", value: "NAME", "use the API key of this profile") { $0.network.profile = $1.text },
        Flag("color", value: "WHEN", "always, never, or auto") { given, value throws(HostError) in
            given.color = try value.word(among: ["always", "never", "auto"])
        },
        // The command parses these three before all others, so that errors in the others are reported in the right
        // form.
        Flag("errors", value: "FORM", "text, or json for one JSON object on each line") { _, value throws(HostError) in
            _ = try value.word(among: ["text", "json"])
        },
        Flag("quiet", letter: "q", "print only errors on standard error") { _ in },
        Flag("verbose", letter: "v", "print more on standard error") { _ in },
        Flag("help", letter: "h", "show this help") { $0.wantsHelp = true },
    ]

    /// Flags of a search.
    public static let search: [Flag<RunArguments>] =
        [
            Flag("source", value: "NAME", "the service to search; `ythost sources` lists them") {
                $0.request.source = $1.text
            }
        ]
        + SearchOption.allCases.map { option in
            let argument: FlagArgument =
                switch option.shape {
                case .flag: .none
                case .choice(let words): .required(words.joined(separator: "|"))
                case .time: .required("DATE")
                case .text: .required(option.rawValue.uppercased())
                }
            return Flag(option.rawValue, argument: argument, option.summary) { given, value throws(HostError) in
                try given.request.set(searchOption: option.rawValue, to: value.text)
            }
        }

    public static let all = run + search

    /// Names that plugin options may not have: those of all flags, and one reserved for later.
    package static let names = all.map(\.name) + ["version"]

    /// Flags of `play`.
    public static let play: [Flag<RunArguments>] = [
        Flag("open", "open the player page in a browser (xdg-open)") { $0.playing.opensPage = true },
        Flag("serve", "serve the player page on this machine until it is closed") {
            $0.playing.servesPage = true
        },
        Flag("port", value: "N", "port to serve on, 1 to 65535; default any free port") {
            given, value throws(HostError) in
            guard let port = UInt16(value.text), port > 0 else {
                throw .usage("\(value.flag): '\(value.text)' is not a port, 1 to 65535")
            }
            given.playing.port = port
        },
        Flag("with", value: "PROGRAM", "play the videos in a program such as mpv instead") {
            $0.playing.player = $1.text
        },
    ]

    /// The flags of `run`, as described for `play`.
    public static let runOfPlay = run.map { flag in
        flag.name == take.name
            ? flag.summarized("play at most N videos; default 1, or all URLs given") : flag
    }

    /// Flags that select pictures for `thumbnail`.
    public static let pictures = ThumbnailRequest.flags.map { flag in
        flag.setting { (given: inout RunArguments, value) throws(HostError) in try flag.set(&given.thumbnail, value) }
    }

    /// The flags of `run` that `thumbnail` supports.
    public static let runOfThumbnail =
        [
            output.summarized(
                "save into a folder, which is created; for one picture also a file, or - for standard output")
        ]
        + run.filter {
            ["allow", "as", "cache", "color", "errors", "fresh", "help", "offline", "quiet", "take", "verbose"]
                .contains($0.name)
        }
}
