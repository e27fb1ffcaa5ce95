// Resolves links as they appear in documents. Like browsers, it tolerates surrounding white space and embedded spaces
// and line breaks.

extension WebAddress {
    /// Resolves a link in a document to an absolute URL. Returns nil when the reference is invalid, or is relative and
    /// there is no usable base.
    ///
    /// - Parameter base: the document's URL, or the base URL that the document declares; nil when unknown.
    public static func resolve(_ reference: String, against base: String?) -> String? {
        let text = cleaned(reference)
        guard let address = WebAddress(text) else { return nil }
        if address.scheme != nil { return text }
        guard let base, let root = WebAddress(cleaned(base)), root.scheme != nil else { return nil }
        return root.resolving(address).description
    }

    /// Trims leading and trailing white space and control characters, and removes tabs and line breaks. Spaces and `" <
    /// >` are percent-encoded.
    private static func cleaned(_ reference: String) -> String {
        var bytes = reference.utf8[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        let text = String(Substring(bytes))
        guard bytes.contains(where: { $0 <= 0x20 || "\"<>".utf8.contains($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": continue
            case " ", "\"", "<", ">": result.append(contentsOf: Escape.url(String(scalar)).unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
