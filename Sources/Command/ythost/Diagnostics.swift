// Standard error: text for people, or one JSON object a line with --errors json.

import Glibc
import YTHost

/// Writes messages and failures to standard error.
struct Diagnostics {
    /// The least important level to show.
    let level: LogLevel
    let asJSON: Bool

    /// Reads its flags before the command line is parsed, so that usage errors are reported in the selected form.
    init(arguments: [String]) {
        let flags = arguments.prefix { $0 != "--" }
        let verbose = flags.reduce(0) { count, flag in
            flag == "--verbose"
                ? count + 1
                : flag.hasPrefix("-v") && flag.dropFirst().allSatisfy { $0 == "v" } ? count + flag.count - 1 : count
        }
        if flags.contains("-q") || flags.contains("--quiet") {
            level = .error
        } else {
            level = verbose == 0 ? .warning : verbose == 1 ? .info : .debug
        }
        asJSON =
            flags.contains("--errors=json")
            || zip(flags, flags.dropFirst()).contains { $0 == "--errors" && $1 == "json" }
    }

    /// The arguments without the flags that `init` reads.
    static func withoutFlags(_ arguments: some Sequence<String>) -> [String] {
        var words = Array(arguments)
        if let index = words.firstIndex(of: "--errors") { words.removeSubrange(index..<min(index + 2, words.count)) }
        words.removeAll { ["-q", "--quiet", "-v", "--verbose"].contains($0) || $0.hasPrefix("--errors=") }
        return words
    }

    func log(_ level: LogLevel, _ text: String) {
        guard level.rawValue <= self.level.rawValue else { return }
        write(asJSON ? ErrorReport.json(level: level, text) : "ythost: \(ErrorReport.oneLine(text))")
    }

    func show(_ report: ErrorReport) { write(asJSON ? report.json : report.text) }

    private func write(_ line: String) {
        let sink = DescriptorSink(descriptor: STDERR_FILENO, name: "standard error")
        // A failure to write to standard error cannot be reported.
        try? sink.write(Array("\(line)\n".utf8))
    }
}
