// Arguments of a command that does not start a run: words, and flags that set a `Target`.

import YTHost

struct FlagArguments<Target>: FlagTarget {
    static var letterStyle: LetterStyle { .single }

    private let flags: [Flag<Target>]
    private(set) var words: [String] = []
    /// The flags in order. They are applied after all arguments are parsed, so that --help takes precedence over an
    /// invalid value.
    private var given: [(flag: Flag<Target>, value: FlagValue)] = []
    private(set) var wantsHelp = false

    init(_ arguments: [String], _ flags: [Flag<Target>]) throws(HostError) {
        self.flags = flags
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        try parse(Diagnostics.withoutFlags(arguments[..<end]) + arguments[end...])
    }

    func row(of flag: WrittenFlag) -> Flag<FlagArguments>? {
        guard let row = flags.row(of: flag) else { return nil }
        return row.setting { arguments, value in arguments.given.append((row, value)) }
    }

    mutating func take(word: String) { words.append(word) }

    mutating func take(unknown flag: WrittenFlag) throws(HostError) {
        if ["--help", "-h"].contains(flag.argument) {
            wantsHelp = true
            return
        }
        let near = Nearest.name(to: String(flag.shown.drop { $0 == "-" }), among: flags.map(\.name))
        throw .usage(
            "unknown flag \(flag.shown)" + (near.map { "; did you mean '--\($0)'?" } ?? ""),
            hint: "put -- before words that begin with a hyphen; --help lists the flags")
    }

    /// Applies the flags.
    func apply(to target: inout Target) throws(HostError) {
        for (flag, value) in given { try flag.set(&target, value) }
    }
}
