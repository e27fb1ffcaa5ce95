// Substring search by bytes. It replaces the standard library's `contains(_: String)`, which links the regular
// expression engine and slows down every start of the program.

extension String {
    /// Whether the text contains `text`, compared byte by byte.
    package func mentions(_ text: String) -> Bool {
        var rest = utf8[...]
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
