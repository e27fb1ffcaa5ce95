// What goes wrong in Lua, as facts: what was said, where, and through which frames. A Swift error that a host function
// throws passes through Lua as an error object and is found again in `cause`, whatever the plugin did in between.

/// An error raised by Lua code, or by the host on its behalf.
public struct LuaError: Error {
    public enum Kind: Sendable, Equatable {
        /// The text does not compile.
        case syntax
        /// Raised while running, by Lua itself, by `error`, or by a host function called wrongly.
        case runtime
        /// The memory limit of the state was reached.
        case memory
        /// A budget other than memory is spent.
        case budget(LuaBudget.Resource)
    }

    /// A place in Lua code.
    public struct Position: Sendable, Equatable {
        /// The chunk's name, as given to `load`.
        public var source: String
        /// Counted from 1.
        public var line: Int

        public init(source: String, line: Int) {
            self.source = source
            self.line = line
        }
    }

    /// A function that was running.
    public struct Frame: Sendable, Equatable {
        public var position: Position
        /// The function's name where Lua knows one.
        public var name: String?
    }

    public var kind: Kind
    /// The message without a position in front.
    public var message: String
    /// Where it was raised; nil when no Lua code was running.
    public var position: Position?
    /// Innermost first, Lua code only, without the host's own chunks.
    public var frames: [Frame]
    /// The host's error behind it.
    public var cause: (any Error)?
    /// Names the Lua value while the state still has it, so that passing the error on keeps the value.
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

    /// For host functions: outside trouble. Lua gets it as an error object.
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
