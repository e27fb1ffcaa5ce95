// A key, token or password. Printing, logging and reflection show REDACTED; only `reveal` returns the text, so a search
// for that word finds every use.

/// A text that is never shown.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text itself, to be sent or stored but never shown.
    public func reveal() -> String { text }

    public var isEmpty: Bool { text.isEmpty }

    /// Replaces the secret with REDACTED in text from a server, whether it is plain, percent-encoded or JSON-escaped.
    public func redacted(_ words: String) -> String { Redaction([self])(words) }
    public var description: String { Self.shown }
    public var debugDescription: String { Self.shown }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The placeholder for a secret.
    static let shown = "REDACTED"
}

/// A query item or a header with a secret value.
public struct SecretField: Sendable, Hashable {
    public var name: String
    public var value: Secret

    public init(_ name: String, _ value: Secret) {
        self.name = name
        self.value = value
    }
}

/// Removes secrets from text in every form a server may echo: each byte plain, or as `%2F`, `\u002f` or `\/`, with more
/// backslashes for JSON inside JSON.
struct Redaction: Sendable {
    private let secrets: [[UInt8]]

    /// - Parameter secrets: the values to remove. Values shorter than 4 bytes are ignored.
    init(_ secrets: [Secret]) {
        var texts: [String] = []
        for secret in secrets {
            let text = secret.reveal()
            // "Bearer abc": the part after the scheme is the secret.
            for part in [text] + text.split(separator: " ").dropFirst().map(String.init) where part.utf8.count >= 4 {
                texts.append(part)
            }
        }
        // Longest first: one secret may be part of another.
        self.secrets = texts.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    }

    func callAsFunction(_ text: String) -> String {
        replaced(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    func finds(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return secrets.contains { Self.place(of: $0, in: bytes, from: 0) != nil }
    }

    /// Removes the secrets from a response's headers and body.
    func redact(_ response: inout WebResponse) {
        if let body = replaced(in: response.body) { response.body = body }
        if response.headers.all.contains(where: { finds(in: $0.value) }) {
            response.headers = WebHeaders(response.headers.all.map { WebHeader($0.name, self($0.value)) })
        }
    }

    /// The bytes with each secret replaced by REDACTED. nil if they contain no secret.
    private func replaced(in bytes: [UInt8]) -> [UInt8]? {
        var changed: [UInt8]?
        for secret in secrets {
            let bytes = changed ?? bytes
            guard var place = Self.place(of: secret, in: bytes, from: 0) else { continue }
            var result: [UInt8] = []
            var start = 0
            while true {
                result += bytes[start..<place.lowerBound] + Array(Secret.shown.utf8)
                start = place.upperBound
                guard let next = Self.place(of: secret, in: bytes, from: start) else { break }
                place = next
            }
            changed = result + bytes[start...]
        }
        return changed
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let head = wanted.first, bytes.count >= wanted.count + start else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var place = start
            while place + wanted.count <= bytes.count {
                let byte = bytes[place]
                if byte == head || byte == backslash || byte == percent,
                    let end = end(of: wanted, in: bytes, at: place)
                {
                    return place..<end
                }
                place += 1
            }
            return nil
        }
    }

    /// Enough for four levels of nested JSON.
    private static let mostBackslashes = 15
    private static let backslash = UInt8(ascii: "\\")
    private static let percent = UInt8(ascii: "%")

    /// The end of an occurrence of the secret that starts at an index. nil if there is none.
    private static func end(of wanted: [UInt8], in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var place = start
        for byte in wanted {
            guard place < bytes.count else { return nil }
            if bytes[place] == byte {
                place += 1
                continue
            }
            guard let end = escapedEnd(of: byte, in: bytes, at: place) else { return nil }
            place = end
        }
        return place
    }

    /// The end of the escape of a byte. nil if none starts at the index.
    private static func escapedEnd(of byte: UInt8, in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var place = start
        let digits: Int
        if bytes[place] == percent {
            digits = 2
        } else {
            while place < bytes.count, place - start < mostBackslashes, bytes[place] == backslash { place += 1 }
            guard place > start, place < bytes.count else { return nil }
            if bytes[place] == byte, !isWordByte(byte) { return place + 1 }
            guard bytes[place] == UInt8(ascii: "u") else { return nil }
            digits = 4
        }
        guard place + digits < bytes.count else { return nil }
        var value = 0
        for offset in 1...digits {
            guard let digit = hexValue(bytes[place + offset]) else { return nil }
            value = value << 4 | digit
        }
        return value == Int(byte) ? place + digits + 1 : nil
    }

    /// Whether a backslash before this byte would form an escape, such as `\n`.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x37
        case 0x61...0x66: Int(byte) - 0x57
        default: nil
        }
    }
}
