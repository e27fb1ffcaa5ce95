// Arguments of a command that takes words and flags of its own, and makes no run. They are told apart by the list of its
// flags, as help shows it.

import YTHost

struct FlagArguments {
    private(set) var words: [String] = []
    /// What the flags say, in the order they stand; a flag without a value has an empty one.
    private(set) var values: [(flag: String, value: String)] = []
    private(set) var wantsHelp = false

    init(_ arguments: [String], _ flags: [HostFlag]) throws(HostError) {
        var given = arguments
        let end = given.firstIndex(of: "--") ?? given.endIndex
        var head = Array(given[..<end])
        Help.dropDiagnosticFlags(&head)
        given = head + given[end...]
        var rest = given[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                break
            } else if word == "--help" || word == "-h" {
                wantsHelp = true
            } else if word.hasPrefix("-"), word != "-" {
                try take(word, flags, &rest)
            } else {
                words.append(word)
            }
        }
    }

    private mutating func take(
        _ word: String, _ flags: [HostFlag], _ rest: inout ArraySlice<String>
    ) throws(HostError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isShort = !word.hasPrefix("--")
        let found = flags.first { flag in
            isShort ? flag.short.map { word == "-\($0)" } ?? false : parts[0] == "--" + flag.name
        }
        guard let flag = found else {
            let near = Nearest.name(to: String(parts[0].drop { $0 == "-" }), among: flags.map(\.name))
            throw .usage(
                "unknown flag \(parts[0])" + (near.map { "; did you mean '--\($0)'?" } ?? ""),
                hint: "put -- before words that begin with a hyphen; --help lists the flags")
        }
        guard case .value(let what) = flag.kind else {
            if parts.count == 2 { throw .usage("\(parts[0]) takes no value") }
            values.append((flag.name, ""))
            return
        }
        let attached = !isShort && parts.count == 2 ? parts[1] : nil
        guard let value = attached ?? rest.popFirst() else { throw .usage("\(parts[0]) needs a value: \(what)") }
        values.append((flag.name, value))
    }
}
