// Paths to values inside JSON. Array positions count from 0, and a segment of digits is a member name when it meets an
// object.

/// A dotted path: `snippet.title`, `items.0.id`, `a\.b` for a name that contains a dot. The empty path is the starting
/// value itself.
public struct JSONPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// A single reference, so that copying a path is cheap.
    private final class Parsed: Sendable {
        let text: String
        let problem: String?
        let program: [UInt8]

        init(_ text: String) {
            self.text = text
            let (names, problem) = JSONPath.split(text)
            self.problem = problem
            program = names.flatMap(JSONPath.encoded)
        }
    }

    private let parsed: Parsed

    public init(_ text: String) { parsed = Parsed(text) }

    public init(stringLiteral text: String) { self.init(text) }

    /// The path as written.
    public var text: String { parsed.text }
    /// Why the path is invalid; nil when it is valid. An invalid path matches nothing; `Mapping.compiled` rejects it.
    public var problem: String? { parsed.problem }
    public var description: String { text }
    /// The segments in the format of `sj_find`.
    package var program: [UInt8] { parsed.program }

    public static func == (one: JSONPath, other: JSONPath) -> Bool { one.text == other.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private static func split(_ text: String) -> (names: [[UInt8]], problem: String?) {
        if text.isEmpty { return ([], nil) }
        var names: [[UInt8]] = [[]]
        var escaped = false
        for byte in text.utf8 {
            if escaped {
                guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: "\\") else {
                    return ([], "a backslash stands before a dot or a backslash only")
                }
                names[names.count - 1].append(byte)
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: ".") {
                names.append([])
            } else {
                names[names.count - 1].append(byte)
            }
        }
        if escaped { return ([], "it ends in a backslash") }
        if names.contains(where: \.isEmpty) { return ([], "there is no name before or after a dot") }
        return (names, nil)
    }

    private static func encoded(_ name: [UInt8]) -> [UInt8] {
        let isNumber = name.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let position = isNumber ? UInt32(String(decoding: name, as: UTF8.self)) ?? .max : .max
        return bytes(of: UInt32(name.count)) + bytes(of: position) + name
    }

    private static func bytes(of word: UInt32) -> [UInt8] {
        withUnsafeBytes(of: word) { Array($0) }
    }
}
