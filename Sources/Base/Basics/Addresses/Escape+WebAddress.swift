// Links: which addresses may stand in pages and documents. Beside the addresses, because a link needs a host that exists.

extension Escape {
    /// A URL that is safe to use as a link: http or https with a host. Characters that RFC 3986 does not allow are
    /// percent-encoded, so that the URL cannot contain a quotation mark or a direction override, and so is a `%` that
    /// starts no escape. An international host becomes punycode.
    ///
    /// - Returns: nil for another scheme, a URL without a valid host and port, or one that contains white space.
    public static func webAddress(_ text: String) -> String? {
        let bytes = text.utf8Span.span
        func begins(_ scheme: StaticString) -> Bool {
            bytes.count > scheme.utf8CodeUnitCount
                && scheme.withUTF8Buffer { scheme in
                    scheme.indices.allSatisfy { bytes[$0] | 0x20 == scheme[$0] | 0x20 }
                }
        }
        guard let host = begins("https://") ? 8 : begins("http://") ? 7 : nil else { return nil }
        if bytes.indices.contains(where: { bytes[$0] <= 0x20 }) { return nil }
        let end = bytes.indices[host...].first { "/?#".utf8.contains(bytes[$0]) } ?? bytes.count
        var authority: String?
        if host == end || !bytes.indices[host..<end].allSatisfy({ isUnreserved(bytes[$0]) }) {
            guard let spelled = self.authority(bytes.extracting(host..<end)) else { return nil }
            authority = spelled
        }
        func stays(_ index: Int) -> Bool {
            guard bytes[index] == UInt8(ascii: "%") else { return mayStandInAddress(bytes[index]) }
            return index + 2 < bytes.count && hexValue(bytes[index + 1]) != nil && hexValue(bytes[index + 2]) != nil
        }
        if authority == nil, bytes.indices[end...].allSatisfy(stays) { return text }
        var out = Bytes(room: bytes.count + 32)
        for index in 0..<(authority == nil ? end : host) { out.append(bytes[index]) }
        out.append(contentsOf: authority ?? "")
        for index in end..<bytes.count {
            if stays(index) {
                out.append(bytes[index])
            } else {
                for encoded in percentEncoded(bytes[index]) { out.append(encoded) }
            }
        }
        return out.text
    }

    /// User, host and port of a link; nil when they are invalid.
    private static func authority(_ bytes: Span<UInt8>) -> String? {
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let address = WebAddress("http://" + text), let host = address.host.flatMap(WebAddress.asciiHost) else {
            return nil
        }
        let user = address.userInformation.map { WebAddress.encoded($0, in: .user) + "@" } ?? ""
        return user + host + (address.port.map { ":\($0)" } ?? "")
    }

    /// Unreserved and reserved characters of RFC 3986 §2, and `%`.
    private static func mayStandInAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: "?")...UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A Markdown link, or only the escaped text when the URL is not allowed in a link.
    ///
    /// - Parameter url: sanitized with `webAddress`; nil for none.
    public static func markdownLink(_ text: String, url: String?) -> String {
        let label = markdown(text)
        guard let url = url.flatMap(webAddress), !label.isEmpty else { return label }
        var target = ""
        let bytes = Array(url.utf8)
        for (index, byte) in bytes.enumerated() {
            // A reference such as `&copy;` would be decoded.
            let mayBegin = byte == UInt8(ascii: "&") && index + 1 < bytes.count
            target +=
                mayBegin && bytes[(index + 1)...].contains(UInt8(ascii: ";"))
                ? "&amp;" : String(UnicodeScalar(byte))
        }
        let needsBrackets = bytes.contains(UInt8(ascii: "(")) || bytes.contains(UInt8(ascii: ")"))
        return needsBrackets ? "[\(label)](<\(target)>)" : "[\(label)](\(target))"
    }
}
