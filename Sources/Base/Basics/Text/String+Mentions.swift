// Looking for a text inside another, by bytes. The standard library's `contains(_: String)` is part of its regular
// expressions: one use of it links the whole engine, which every start of the command then pays for.

extension String {
    /// Whether the text occurs, byte for byte.
    package func mentions(_ text: String) -> Bool {
        var rest = utf8[...]
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
