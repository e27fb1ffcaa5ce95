// Rules for attributes of HTML that hold addresses. The whole value is judged, after the template is filled: a browser
// sees neither where a placeholder ended nor the blanks, controls and character references before a scheme.

import Basics

/// Which addresses a filled attribute may hold.
public enum AddressRule: UInt8, Sendable {
    /// An address that is followed or shown: http or https when a value begins it.
    case address
    /// The address of code, or the base of all addresses: the template has to name the site.
    case code
    /// Values of an SVG animation, separated by semicolons. They may be anything but code.
    case animation
    /// The content of `<meta http-equiv="refresh">`: seconds and an address.
    case refresh

    private static let addresses: Set<String> = [
        "href", "src", "action", "formaction", "poster", "cite", "data", "background", "xlink:href", "ping", "manifest",
        "codebase", "longdesc", "lowsrc", "dynsrc",
    ]

    /// The rule of an attribute. nil if it holds no address. Names are in lower case.
    init?(tag: String, attribute: String) {
        switch (tag, attribute) {
        case ("script", "src"), ("script", "href"), ("script", "xlink:href"), ("base", "href"): self = .code
        case ("animate", "to"), ("animate", "values"), ("animate", "from"), ("animate", "by"), ("set", "to"):
            self = .animation
        case ("meta", "content"): self = .refresh
        case (_, let name) where Self.addresses.contains(name): self = .address
        default: return nil
        }
    }

    /// Whether text holds only what a browser ignores before an address.
    static func isBlank(_ text: [UInt8]) -> Bool { significant(text[...]).isEmpty }

    /// Whether the template's text before a first value settles the scheme, so that no value can change it.
    func settles(_ text: [UInt8]) -> Bool {
        switch self {
        case .address, .code:
            Self.significant(text.prefix(upTo: Self.startOfOpenReference(in: text))).contains {
                ":/?#".utf8.contains($0)
            }
        case .animation, .refresh: false
        }
    }

    /// Where a character reference begins that a value after the text could go on; the end of the text if none does.
    private static func startOfOpenReference(in text: [UInt8]) -> Int {
        guard let start = text.lastIndex(of: UInt8(ascii: "&")) else { return text.count }
        let isOpen = text[(start + 1)...].allSatisfy {
            $0 == UInt8(ascii: "#") || ByteScanner.isLetter($0) || ByteScanner.isDigit($0)
        }
        return isOpen ? start : text.count
    }

    /// Whether no value may follow this text of the template.
    func refuses(after text: [UInt8]) -> Bool {
        let text = Self.significant(text[...])
        switch self {
        case .address: return Self.scheme(of: text).map { !Self.isHarmless($0, in: text) } ?? false
        case .code:
            guard let scheme = Self.scheme(of: text), scheme == "http" || scheme == "https" else { return true }
            let rest = text.dropFirst(scheme.utf8.count + 1)
            return !rest.starts(with: "//".utf8) || !rest.dropFirst(2).contains(UInt8(ascii: "/"))
        case .animation, .refresh: return false
        }
    }

    /// Whether the whole value may stand in the attribute.
    ///
    /// - Parameters:
    ///   - value: as it is written, with character references.
    ///   - trusted: how many bytes at its beginning are the template's own.
    public func allows(_ value: ArraySlice<UInt8>, trusted: Int) -> Bool {
        switch self {
        case .address, .code:
            let whole = Self.significant(value)
            guard let scheme = Self.scheme(of: whole) else { return !Self.significant(value.prefix(trusted)).isEmpty }
            guard scheme == "http" || scheme == "https" else {
                return Self.scheme(of: Self.significant(value.prefix(trusted))) != nil
                    && Self.isHarmless(scheme, in: whole)
            }
            return true
        case .animation:
            return Self.significant(value).split(separator: UInt8(ascii: ";")).allSatisfy {
                Self.scheme(of: Self.significant($0)).map { $0 == "http" || $0 == "https" } ?? true
            }
        case .refresh:
            var rest = Self.significant(value)[...]
            rest = rest.drop {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 <= 0x20 || ".,;".utf8.contains($0)
            }
            guard rest.count >= 3, String(decoding: rest.prefix(3), as: UTF8.self).lowercased() == "url" else {
                return true
            }
            rest = rest.dropFirst(3).drop { $0 <= 0x20 || "='\"".utf8.contains($0) }
            return Self.scheme(of: Self.significant(rest)).map { $0 == "http" || $0 == "https" } ?? true
        }
    }

    /// Whether a scheme that the template chose runs no code. Addresses of the scheme data do only if they are pictures.
    private static func isHarmless(_ scheme: String, in address: [UInt8]) -> Bool {
        switch scheme {
        case "javascript", "vbscript", "livescript": false
        case "data":
            ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"].contains {
                address.dropFirst(5).starts(with: $0.utf8)
            }
        default: true
        }
    }

    /// What a browser reads: references decoded, tabs and line ends removed, blanks and controls before it dropped
    /// (URL standard, basic URL parser).
    private static func significant(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: terminated(text), as: UTF8.self)
        return Array(
            HTMLEntities.unescape(text).utf8.drop { $0 <= 0x20 }.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D })
    }

    /// The text with a semicolon behind every numeric reference, which browsers do without.
    private static func terminated(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var whole: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            whole.append(byte)
            guard byte == UInt8(ascii: "&"), rest.first == UInt8(ascii: "#") else { continue }
            let isHex = rest.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let digits = rest.dropFirst(isHex ? 2 : 1).prefix {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || isHex && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
            }
            if digits.isEmpty { continue }
            whole += rest[..<digits.endIndex]
            rest = rest[digits.endIndex...]
            if rest.first != UInt8(ascii: ";") { whole.append(UInt8(ascii: ";")) }
        }
        return whole
    }

    /// The scheme in lower case. nil if the address is relative.
    private static func scheme(of address: [UInt8]) -> String? {
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")), let first = address.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
        else { return nil }
        let isPart = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        guard address[..<colon].allSatisfy(isPart) else { return nil }
        return String(decoding: address[..<colon], as: UTF8.self).lowercased()
    }
}
