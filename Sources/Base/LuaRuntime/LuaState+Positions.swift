// Stack frames of an error, and the position prefixes of Lua messages.

import CLua

extension LuaState {
    func frames(_ lua: OpaquePointer) -> [LuaError.Frame] {
        eachFrame(lua).map { frame in
            let name = Self.text(of: frame.name)
            return LuaError.Frame(
                position: .init(source: Self.text(of: frame.source), line: Int(frame.line)),
                name: name.isEmpty ? nil : name)
        }
    }

    /// Chunk names as they appear in messages: those of the active frames, then those of all loaded chunks, which
    /// covers dead coroutines.
    func shownNames(_ lua: OpaquePointer) -> [(shown: String, source: String)] {
        eachFrame(lua).map { (Self.text(of: $0.shown), Self.text(of: $0.source)) }
            + chunks.sorted().map { (Self.shownName(of: $0), $0) }
    }

    private func eachFrame(_ lua: OpaquePointer) -> [CLuaFrame] {
        var first: UnsafePointer<CLuaFrame>?
        let count = Int(clua_frames(lua, &first))
        return Array(UnsafeBufferPointer(start: first, count: count))
    }

    /// Removes the prefix `file:line: ` from a message when the file is a known chunk. The position is nil for the
    /// host's own Lua code.
    static func splitPosition(
        _ message: String, shown names: [(shown: String, source: String)]
    ) -> (LuaError.Position?, String)? {
        for (shown, source) in names where message.hasPrefix(shown + ":") {
            let rest = message.dropFirst(shown.count + 1)
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let line = Int(digits), rest.dropFirst(digits.count).hasPrefix(": ") else { continue }
            let position = LuaError.Position(source: source, line: line)
            return (source.hasPrefix("[") ? nil : position, String(rest.dropFirst(digits.count + 2)))
        }
        return nil
    }

    /// A chunk name as Lua shortens it to 59 bytes.
    private static func shownName(of chunk: String) -> String {
        let room = Int(CLUA_NAME_SIZE) - 5  // LUA_IDSIZE is 60, one for the terminator
        return chunk.utf8.count <= room ? chunk : "..." + String(decoding: chunk.utf8.suffix(room - 3), as: UTF8.self)
    }
}
