// Where a value stands inside another. What is easily got wrong: positions in arrays count from 0, and a segment of
// digits is a name when it meets an object.

/// A dotted path: `snippet.title`, `items.0.id`, `a\.b` for a name with a dot in it. The empty path is the value the
/// path starts from.
public struct JSONPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// One reference, so that rules hand paths around for the price of one.
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

    /// The path as it was written.
    public var text: String { parsed.text }
    /// Why the path cannot be read, nil when it can. Such a path finds nothing; `Mapping.compiled` refuses it.
    public var problem: String? { parsed.problem }
    public var description: String { text }
    /// The segments as `sj_find` takes them.
    var program: [UInt8] { parsed.program }

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
