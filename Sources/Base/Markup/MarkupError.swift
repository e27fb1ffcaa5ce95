// Why markup could not be parsed, and the position.

/// A parse error. Line and column count from 1, the column in bytes.
public struct MarkupError: Error, Sendable, Equatable, CustomStringConvertible {
    public var line: Int
    public var column: Int
    public var reason: Reason

    public enum Reason: Sendable, Equatable {
        case empty
        case tooDeep(limit: Int)
        case tooMany(limit: Int)
        case tooManyAttributes(limit: Int)
        case tooManyNamespaces(limit: Int)
        case tooLarge(limit: Int)
        case noMemory
        /// The message of the parser.
        case other(String)
    }

    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension MarkupError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is no element"
        case .tooDeep(let limit): "elements nested more than \(limit) levels deep"
        case .tooMany(let limit): "more than \(limit) elements and texts"
        case .tooManyAttributes(let limit): "an element with more than \(limit) attributes"
        case .tooManyNamespaces(let limit): "more than \(limit) namespaces at once"
        case .tooLarge(let limit): "more than \(limit >> 20) MiB"
        case .noMemory: "not enough memory"
        case .other(let words): words
        }
    }
}
