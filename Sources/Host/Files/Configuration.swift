// The user's configuration file: flags that apply to every run before those on the command line. An unreadable file is
// an error, because a run without the budgets in it would not be the run the user configured.

import HostErrors

/// A configuration file: one `name = value` per line; `#` starts a comment.
public struct Configuration: Sendable {
    /// One setting of the file.
    public struct Setting: Sendable, Equatable {
        /// The flag's long name, without `--`.
        public let name: String
        public let value: String
        /// The line number, counted from 1.
        public let line: Int
    }

    /// The flags that may be set. Flags that describe a single run are excluded. So are grants: those are given to one
    /// plugin by its digest (`ythost plugin allow`), never to all plugins.
    public static let names = ["budget", "source", "fetch", "tz", "seed", "color"]

    public let path: String
    public let settings: [Setting]

    private static let largest = 64 << 10

    /// Reads a file. A missing file gives no settings.
    ///
    /// - Throws: `.configuration`, with the reason and the line number where there is one.
    public init(path: String) throws(HostError) {
        self.path = path
        guard FileSystem.exists(path) else {
            settings = []
            return
        }
        let bytes: [UInt8]
        do throws(HostError) { bytes = try FileSystem.readFile(path, limit: Self.largest) } catch {
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
