// The flags that are ythost's own wherever they stand. Plugins' options may not bear their names, so a command line
// means one thing whatever plugins are on it.

import VideoServices

/// One flag of the command line.
public struct HostFlag: Sendable {
    public enum Kind: Sendable, Equatable {
        /// Stands alone.
        case plain
        /// Is followed by a value, shown in help as this word.
        case value(String)
    }

    public let name: String
    /// The letter that stands for it after one hyphen.
    public let short: Character?
    public let kind: Kind
    public let summary: String

    package init(_ name: String, _ short: Character? = nil, _ kind: Kind = .plain, _ summary: String) {
        self.name = name
        self.short = short
        self.kind = kind
        self.summary = summary
    }
}

public enum HostFlags {
    /// What a run does.
    public static let run: [HostFlag] = [
        HostFlag("plugin", "p", .value("NAME[:OPTION=VALUE,…]"), "a further plugin; repeatable, in order"),
        HostFlag(
            "where", nil, .value("EXPRESSION"), "keep videos for which a Lua expression over their fields is true"),
        HostFlag("by", nil, .value("EXPRESSION"), "sort by a Lua expression: numbers high to low, text A to Z"),
        HostFlag("print", nil, .value("TEMPLATE"), "print a line a video: '{published:date}\\t{title}\\t{url}'"),
        HostFlag("input", "i", .value("FILE"), "read records from a file instead of searching; repeatable"),
        HostFlag(
            "from", nil, .value("ORIGIN"),
            "read feed:URL, page:URL, channel:REF, playlist:REF or a file of them; repeatable"),
        HostFlag("as", nil, .value("FORMAT"), "the format of the inputs, when it must not be guessed"),
        HostFlag("strict", nil, .plain, "a record that cannot be read is an error"),
        HostFlag("fetch", nil, .value("N"), "rows read from the source at most"),
        HostFlag("take", nil, .value("N"), "rows kept after ranking"),
        HostFlag("output", "o", .value("FILE"), "write to a file, replaced as a whole at the end"),
        HostFlag(
            "tz", nil, .value("ZONE"), "time zone of dates that are written, such as Europe/Berlin; UTC when absent"),
        HostFlag("seed", nil, .value("N"), "the seed of random numbers; 0 when absent"),
        HostFlag(
            "budget", nil, .value("NAME=LIMIT,…"),
            "memory, cpu, wall, output, requests, calls, instructions; none lifts one"),
        HostFlag(
            "allow", nil, .value("GRANT"),
            "grant net:HOST, account:SOURCE, read:PATH, write:PATH, env:NAME or exec:NAME"),
        HostFlag("locked", nil, .plain, "run only plugins that are locked, or come with ythost"),
        HostFlag("fail-empty", nil, .plain, "exit with 7 when nothing matched"),
        HostFlag("dry-run", nil, .plain, "say which calls the run would make and what they cost, and send nothing"),
        HostFlag("offline", nil, .plain, "send nothing: only answers that are kept"),
        HostFlag(
            "cache", nil, .value("POLICY"), "network-only, local-only, network-then-local, or local-then-network"),
        HostFlag("fresh", nil, .plain, "have kept answers confirmed or replaced; else they are given for an hour"),
        HostFlag("profile", nil, .value("NAME"), "use the key of this profile"),
        HostFlag("color", nil, .value("WHEN"), "always, never, or auto"),
        HostFlag("errors", nil, .value("FORM"), "text, or json for one object a line"),
        HostFlag("quiet", "q", .plain, "only errors on standard error"),
        HostFlag("verbose", "v", .plain, "more on standard error"),
        HostFlag("help", "h", .plain, "this help"),
    ]

    /// How a search is done.
    public static let search: [HostFlag] =
        [HostFlag("source", nil, .value("NAME"), "where to search; `ythost sources` lists them")]
        + SearchOption.allCases.map { option in
            let kind: HostFlag.Kind =
                switch option.shape {
                case .flag: .plain
                case .choice(let words): .value(words.joined(separator: "|"))
                case .time: .value("DATE")
                case .text: .value(option.rawValue.uppercased())
                }
            return HostFlag(option.rawValue, nil, kind, option.summary)
        }

    public static let all = run + search

    /// What `play` takes beside them.
    public static let play: [HostFlag] = [
        HostFlag("open", nil, .plain, "open the page in the browser (xdg-open)"),
        HostFlag(
            "serve", nil, .plain, "give the page an address of this machine, so that it plays, until it is closed"),
        HostFlag("port", nil, .value("N"), "of that address, 1 to 65535; any free one when absent"),
        HostFlag("with", nil, .value("PROGRAM"), "hand the videos' addresses to a player such as mpv instead"),
    ]

    /// What `run` takes, as far as it means something else in `play`.
    public static let runOfPlay = run.map { flag in
        flag.name == "take"
            ? HostFlag("take", nil, .value("N"), "videos that are played; 1 when absent, of several addresses all")
            : flag
    }

    /// What `thumbnail` takes beside its own.
    public static let thumbnail: [HostFlag] =
        [
            HostFlag(
                "output", "o", .value("FILE"),
                "a folder, which is made; for one picture also a file, or - for its bytes on standard output")
        ]
        + run.filter {
            ["allow", "as", "cache", "color", "errors", "fresh", "help", "offline", "quiet", "take", "verbose"]
                .contains($0.name)
        }

    /// What the words of `plugin` that are about packages take.
    public static let packages: [HostFlag] = [
        HostFlag("user", nil, .plain, "the user's packages, also where a project has some"),
        HostFlag("project", nil, .plain, "this folder's packages: ythost.lock and plugins are made here"),
        HostFlag("yes", "y", .plain, "update without a question; never agrees to a new grant"),
        HostFlag("accept", nil, .value("GRANT"), "update though a plugin asks for this grant and did not; repeatable"),
        HostFlag("diff", nil, .plain, "update: show the lines that change, too"),
        HostFlag(
            "unsigned", nil, .plain, "take, or find in order, what has no signature, though there are allowed signers"),
        HostFlag("older", nil, .plain, "take an older version than is here"),
        HostFlag("from", nil, .value("SOURCE"), "update from there, and from then on"),
        HostFlag("source", nil, .value("SOURCE"), "sign: where the package is published"),
        HostFlag("key", nil, .value("FILE"), "sign: an SSH key; a public one is looked for in ssh-agent"),
        HostFlag("output", "o", .value("FILE"), "pack: the archive"),
    ]

    /// Every long name, and names kept for flags to come.
    public static let names = all.map(\.name) + reserved

    private static let reserved = ["version"]

    /// Whether the name is among `names`, without making all flags: every load of a plugin asks.
    static func isTaken(_ name: String) -> Bool {
        SearchOption(rawValue: name) != nil || name == "source" || reserved.contains(name)
            || run.contains { $0.name == name }
    }
}
