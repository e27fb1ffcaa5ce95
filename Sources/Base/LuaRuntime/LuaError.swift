// Lua errors with message, position and stack frames. A Swift error thrown by a host function passes through Lua as an
// error object and is available as `cause`, even if the plugin caught and rethrew it.

/// An error raised by Lua code or by a host function.
public struct LuaError: Error {
    public enum Kind: Sendable, Equatable {
        /// The source does not compile.
        case syntax
        /// A runtime error from Lua itself, from `error`, or from a host function that was called incorrectly.
        case runtime
        /// The memory limit of the state was reached.
        case memory
        /// Another budget is exhausted.
        case budget(LuaBudget.Resource)
    }

    /// A position in Lua source.
    public struct Position: Sendable, Equatable {
        /// The chunk name passed to `load`.
        public var source: String
        /// Line number, from 1.
        public var line: Int

        public init(source: String, line: Int) {
            self.source = source
            self.line = line
        }
    }

    /// An active function.
    public struct Frame: Sendable, Equatable {
        public var position: Position
        /// The function's name, if Lua knows it.
        public var name: String?
    }

    public var kind: Kind
    /// The message, without the position prefix.
    public var message: String
    /// Where the error was raised; nil when no Lua code was running.
    public var position: Position?
    /// Stack frames, innermost first; Lua code only, without the host's own chunks.
    public var frames: [Frame]
    /// The Swift error that caused it; nil for a pure Lua error.
    public var cause: (any Error)?
    /// Identifies the original Lua value while the state still holds it, so that a rethrow preserves the value.
    var ticket: Int?

    public init(
        _ message: String, kind: Kind = .runtime, position: Position? = nil, frames: [Frame] = [],
        cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.frames = frames
        self.cause = cause
    }

    /// Wraps a Swift error for a host function to throw. Lua receives it as an error object.
    public init(cause: any Error) {
        self.init("\(cause)", cause: cause)
    }
}

extension LuaError: CustomStringConvertible {
    public var description: String {
        guard let position else { return message }
        return "\(position.source):\(position.line): \(message)"
    }
}
