// The small cases that are kept beside the package, where they are at hand: inputs and right answers that come from
// public bug reports about other programs. `nil` means unknown; `error` a refusal, never a wrong value.

import FoundationEssentials

public enum Cases {
    struct Empty: Error { let name: String }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/cases").standardizedFileURL

    /// Under CI they must be there: a missing folder is a failure, not a skipped test.
    public static let areAtHand =
        FileManager.default.fileExists(atPath: folder.path) || ProcessInfo.processInfo.environment["CI"] != nil

    /// The rows of a table by the names of its columns, escapes resolved.
    public static func rows(_ name: String) throws -> [[String: String]] {
        let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map { unescaped($0) }
        }
        guard let names = lines.first else { throw Empty(name: name) }
        return lines.dropFirst().map { cells in
            Dictionary(zip(names, cells + Array(repeating: "", count: max(0, names.count - cells.count)))) { one, _ in
                one
            }
        }
    }

    /// `\n`, `\t`, `\xNN` and `\u{NNNN}` as the characters they stand for.
    static func unescaped(_ cell: Substring) -> String {
        var text = ""
        var rest = cell
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first else {
                text.append(character)
                continue
            }
            var digits: Substring = ""
            var length = 1
            switch next {
            case "n": text += "\n"
            case "t": text += "\t"
            case "x":
                digits = rest.dropFirst().prefix(2)
                length = 3
            case "u" where rest.dropFirst().first == "{":
                digits = rest.dropFirst(2).prefix { $0 != "}" }
                length = digits.count + 3
            default:
                text.append(character)
                continue
            }
            if let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) {
                text.unicodeScalars.append(scalar)
            }
            rest = rest.dropFirst(length)
        }
        return text
    }
}
