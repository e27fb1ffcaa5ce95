// References as documents write them, made whole as browsers do: with blanks around them, line ends and spaces inside.

extension WebAddress {
    /// The address that a reference means in a document; nil when it is none, or it is relative and there is no base.
    ///
    /// - Parameter base: the address of the document, or what it names instead; nil when that is not known.
    public static func resolve(_ reference: String, against base: String?) -> String? {
        let text = cleaned(reference)
        guard let address = WebAddress(text) else { return nil }
        if address.scheme != nil { return text }
        guard let base, let root = WebAddress(cleaned(base)), root.scheme != nil else { return nil }
        return root.resolving(address).description
    }

    /// Without blanks around it and line ends and tabs in it; what no address may hold is percent-encoded.
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
