// Arguments of `run`, `search` and `parse` as a request. ythost's own flags may stand anywhere before `--`; everything
// else is handed on as it stands, because only the plugin knows which of its flags take a value.

import Glibc
import YTHost

struct RequestParser {
    /// What a word that is no flag means.
    enum Words {
        /// The first is the plugin, the rest its arguments.
        case plugin
        /// What to search for.
        case query
        /// Files to read.
        case files
        /// Pages to be previewed.
        case pages
    }

    let words: Words
    /// Made when the first flag comes, and most command lines have none.
    private lazy var flags = makeFlags()
    private let makeFlags: () -> [HostFlag]
    private(set) var request = RunRequest()
    private(set) var outputPath: String?
    private(set) var wantsHelp = false
    private(set) var services = Setup.services
    /// Whether the player's page is opened, or served and where, and the program that gets addresses instead.
    private(set) var opensPage = false
    private(set) var servesPage = false
    private(set) var port: UInt16?
    private(set) var player: String?
    /// Which pictures are wanted.
    private(set) var thumbnail = ThumbnailRequest()
    /// Sets of symbols that pictures are drawn with, and what else they may be.
    private(set) var symbols: String?
    private(set) var graphics: PictureScreen.Means?
    private var color = "auto"
    /// Whether only what is locked may run.
    private var isLocked = false

    init(words: Words, flags: @escaping @autoclosure () -> [HostFlag]) {
        self.words = words
        makeFlags = flags
        request.grants = GrantBook(file: Setup.grantFile)
    }

    /// The host that carries the request out, under the user's rules.
    func host(_ diagnostics: Diagnostics) -> ScriptHost {
        Setup.host(diagnostics, services, rules: request.grants.policy, lockedOnly: isLocked)
    }

    /// The request of a command line.
    consuming func parsed(_ arguments: [String]) throws(HostError) -> RequestParser {
        try parse(arguments)
        return self
    }

    mutating func parse(_ arguments: [String]) throws(HostError) {
        // Before the flags: some count from it.
        if let time = try Setup.frozenTime() { request.frozenTime = time }
        request.grants.policy = try Setup.policy()
        try configure()
        var rest = arguments[...]
        while let token = rest.popFirst() {
            if token == "--" {
                try take(rest, verbatim: true)
                break
            } else if token == "-" {
                request.inputs.append(.standardInput)
            } else if token.hasPrefix("--") {
                try long(token, &rest)
            } else if token.hasPrefix("-"), !(token.dropFirst().first?.isNumber ?? false) {
                try short(token, &rest)
            } else {
                try take([token], verbatim: false)
            }
        }
        try settle()
    }

    /// Sets what the user's settings say, for the command line to say it differently.
    private mutating func configure() throws(HostError) {
        guard let path = Setup.configurationFile else { return }
        for setting in try Configuration(path: path).settings {
            guard let flag = flags.first(where: { $0.name == setting.name }) else { continue }
            do throws(HostError) { try set(flag, setting.value, setting.name) } catch {
                let reason = error.report?.message ?? "it cannot be set"
                throw .configuration(path: path, line: setting.line, reason: reason)
            }
        }
    }

    private mutating func take(_ tokens: some Sequence<String>, verbatim: Bool) throws(HostError) {
        var tokens = Array(tokens)
        switch words {
        case .files: request.inputs += tokens.map { .file($0) }
        case .pages: for token in tokens { request.origins.append(try .page(token)) }
        case .query: request.arguments += verbatim ? ["--"] + tokens : tokens
        case .plugin:
            if request.plugin == nil, !tokens.isEmpty { request.plugin = tokens.removeFirst() }
            if verbatim { tokens.insert("--", at: 0) }
            request.arguments += tokens
        }
    }

    private mutating func long(_ token: String, _ rest: inout ArraySlice<String>) throws(HostError) {
        let parts = token.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let flag = flags.first(where: { $0.name == name }) else {
            if words == .plugin, request.plugin != nil {
                request.arguments.append(token)
                return
            }
            let near = Nearest.name(to: name, among: flags.map(\.name))
            throw .usage(
                "unknown flag --\(name)" + (near.map { "; did you mean '--\($0)'?" } ?? ""),
                hint: "--help lists the flags")
        }
        try apply(flag, parts.count == 2 ? String(parts[1]) : nil, shown: "--\(name)", &rest)
    }

    private mutating func short(_ token: String, _ rest: inout ArraySlice<String>) throws(HostError) {
        var letters = token.dropFirst()
        while let letter = letters.popFirst() {
            guard let flag = flags.first(where: { $0.short == letter }) else {
                throw .usage(
                    "unknown flag -\(letter) in '\(token)'", hint: "put -- before words that begin with a hyphen")
            }
            guard case .value = flag.kind else {
                try apply(flag, nil, shown: "-\(letter)", &rest)
                continue
            }
            try apply(flag, letters.isEmpty ? nil : String(letters), shown: "-\(letter)", &rest)
            return
        }
    }

    private mutating func apply(
        _ flag: HostFlag, _ attached: String?, shown: String, _ rest: inout ArraySlice<String>
    ) throws(HostError) {
        guard case .value(let word) = flag.kind else {
            if attached != nil { throw .usage("\(shown) takes no value") }
            return try set(flag, "", shown)
        }
        guard let value = attached ?? rest.popFirst() else { throw .usage("\(shown) needs a value: \(word)") }
        try set(flag, value, shown)
    }

    private mutating func set(_ flag: HostFlag, _ value: String, _ shown: String) throws(HostError) {
        switch flag.name {
        case "help": wantsHelp = true
        case "plugin": request.stages.append(try Self.plugin(value))
        case "where": request.stages.append(.keep(expression: value))
        case "by": request.stages.append(.order(expression: value))
        case "print": request.template = value
        case "input": request.inputs.append(value == "-" ? .standardInput : .file(value))
        case "from": request.origins.append(try FeedSource(value))
        case "as": request.inputFormat = value
        case "strict": request.isStrict = true
        case "fetch": request.fetch = try count(value, shown)
        case "take": request.take = try count(value, shown)
        case "output":
            if value.isEmpty { throw .usage("\(shown) needs the name of a file") }
            outputPath = value
        case "tz": request.zone = try TimeZones.rules(of: value)
        case "seed":
            guard let seed = UInt64(value) else { throw .usage("\(shown): '\(value)' is not a whole number from 0") }
            request.seed = seed
        case "allow":
            let grant = try Grant(value)
            try request.grants.policy.check(grant)
            request.grants.forThisRun.append(grant)
        case "locked": isLocked = true
        case "budget": try request.budgets.apply(value)
        case "fail-empty": request.failsWhenEmpty = true
        case "color": color = try word(value, among: ["always", "never", "auto"], shown)
        case "errors": _ = try word(value, among: ["text", "json"], shown)
        case "quiet", "verbose": break  // read by Diagnostics before anything else
        case "source": request.source = value
        case "dry-run": request.isDry = true
        case "open": opensPage = true
        case "with": player = value
        case "serve": servesPage = true
        case "port":
            guard let number = UInt16(value), number > 0 else {
                throw .usage("\(shown): '\(value)' is not a port, 1 to 65535")
            }
            port = number
        case "offline": services.isOffline = true
        case "fresh": services.isFresh = true
        case "cache": try services.set(policy: value)
        case "profile": services.profile = value
        case "symbols": symbols = value
        case "graphics":
            let words = ["auto"] + PictureScreen.Means.allCases.map(\.rawValue)
            graphics = PictureScreen.Means(rawValue: try word(value, among: words, shown))
        case "width", "height", "aspect", "format", "timeout": try thumbnail.set(flag.name, value)
        default:
            try request.set(searchOption: flag.name, to: value)
        }
    }

    private func count(_ value: String, _ shown: String) throws(HostError) -> Int {
        guard let count = Int(value), count >= 1 else {
            throw .usage("\(shown): '\(value)' is not a whole number from 1")
        }
        return count
    }

    private func word(_ value: String, among words: [String], _ shown: String) throws(HostError) -> String {
        guard words.contains(value) else {
            throw .usage("\(shown): '\(value)' is not one of \(words.joined(separator: ", "))")
        }
        return value
    }

    /// `NAME:OPTION=VALUE,OPTION=VALUE`; a piece without `=` belongs to the value before it.
    private static func plugin(_ text: String) throws(HostError) -> RunRequest.Stage {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var settings: [(name: String, value: String)] = []
        for piece in parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : [] {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if pair.count == 2 {
                settings.append((pair[0], pair[1]))
            } else if settings.isEmpty {
                throw .usage("-p \(text): options are written NAME:OPTION=VALUE,OPTION=VALUE")
            } else {
                settings[settings.count - 1].value += "," + piece
            }
        }
        return .plugin(parts[0], settings: settings)
    }

    /// What follows from the environment and from where the output goes.
    private mutating func settle() throws(HostError) {
        let toTerminal = Terminal.isOutput && outputPath == nil
        request.isTerminal = toTerminal
        if toTerminal { request.columns = Terminal.columns }
        request.allowsColor = color == "always" || color == "auto" && toTerminal && Terminal.allowsColor
        request.allowsLinks = toTerminal && request.allowsColor && Terminal.showsLinks
        request.defaultFormat = toTerminal ? "table" : "jsonl"
        if let outputPath, let suffix = Formats.suffix(ofFile: outputPath) {
            if let format = Formats.format(ofSuffix: suffix) {
                request.defaultFormat = words == .pages && format == "html" ? "card" : format
            } else if suffix.allSatisfy(\.isLetter) {
                request.unknownSuffix = suffix
            }
        }
        try services.check()
        if request.inputFormat != nil || request.isStrict, request.inputs.isEmpty {
            throw .usage("--as and --strict are about inputs, and there is none", hint: "give --input FILE or -")
        }
        if request.inputs.filter({ $0 == .standardInput }).count > 1 {
            throw .usage("standard input can be read only once")
        }
    }

    /// How pictures are drawn on standard output; nil where they are not.
    func screen() throws(HostError) -> PictureScreen? {
        guard outputPath == nil, Terminal.isOutput || symbols != nil || graphics != nil else { return nil }
        var screen = Terminal.pictures
        if let graphics { screen.means = graphics }
        if let symbols { (screen.means, screen.symbols) = (.symbols, symbols) }
        if color == "never" { screen.colours = .none }
        if color == "always", screen.colours == .none { screen.colours = .many }
        try screen.check()
        return screen
    }

    /// Standard output, when that is where the output goes: its reader may go away. -1 for a file.
    var outputDescriptor: Int32 { outputPath == nil || request.isDry ? STDOUT_FILENO : -1 }

    /// Where the output goes. A plan of calls is for the person who asked for it, and replaces no file.
    func sink() throws(HostError) -> any OutputSink {
        if let outputPath, !request.isDry { return try FileSink(path: outputPath) }
        return DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
    }
}
