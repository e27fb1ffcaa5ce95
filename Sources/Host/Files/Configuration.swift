// The user's settings: flags that are given to every run before those of its command line. What is easily got wrong: a
// file that cannot be read is an error, for a run without the budgets that somebody wrote down is not what they asked.

import HostErrors

/// A file of settings: a line a flag, `name = value`; `#` begins a comment.
public struct Configuration: Sendable {
    /// One line that sets something.
    public struct Setting: Sendable, Equatable {
        /// A flag's long name.
        public let name: String
        public let value: String
        /// From 1.
        public let line: Int
    }

    /// The flags that may be set. Not those that say what one run is about, and no grants: those are given to a plugin
    /// by its digest (`ythost plugin allow`), never to all.
    public static let names = ["budget", "source", "fetch", "tz", "seed", "color"]

    public let path: String
    public let settings: [Setting]

    private static let largest = 64 << 10

    /// Reads a file; one that does not exist sets nothing.
    ///
    /// - Throws: `.configuration`, with what is wrong and on which line.
    public init(path: String) throws(HostError) {
        self.path = path
        guard FileSystem.exists(path) else {
            settings = []
            return
        }
        let bytes: [UInt8]
        do throws(HostError) { bytes = try FileSystem.read(path, limit: Self.largest) } catch {
            throw .configuration(path: path, line: nil, reason: error.report?.message ?? "it cannot be read")
        }
        var settings: [Setting] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = Self.trimmed(line.prefix { $0 != UInt8(ascii: "#") })
            if text.isEmpty { continue }
            settings.append(try Self.setting(text, line: index + 1, of: path))
        }
        self.settings = settings
    }

    private static func setting(_ text: String, line: Int, of path: String) throws(HostError) -> Setting {
        let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = trimmed(parts[0])
        guard names.contains(name) else {
            let near = Nearest.name(to: name, among: names).map { "did you mean '\($0)'?" }
            throw .configuration(
                path: path, line: line,
                reason: "'\(name)' cannot be set; " + (near ?? "there are \(names.joined(separator: ", "))"))
        }
        let value = parts.count == 2 ? trimmed(parts[1]) : ""
        guard !value.isEmpty else {
            throw .configuration(path: path, line: line, reason: "'\(name)' needs a value: \(name) = …")
        }
        return Setting(name: name, value: value, line: line)
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
