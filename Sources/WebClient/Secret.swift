// A key, a token or a password. Whatever prints, logs or inspects it sees REDACTED; only `reveal` gives the text, so
// that looking for that word finds every place where a secret leaves.

import VideoModel

/// A text that must not be shown.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text itself: to be sent or stored, never to be shown.
    public func reveal() -> String { text }

    public var isEmpty: Bool { text.isEmpty }

    /// The text with REDACTED wherever it holds the secret, as it is or percent-encoded: for what a server says.
    public func redacted(_ words: String) -> String { Redaction([self])(words) }
    public var description: String { Self.shown }
    public var debugDescription: String { Self.shown }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// What stands in a secret's place.
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

/// Takes secrets out of texts.
struct Redaction: Sendable {
    private let secrets: [String]

    /// - Parameter secrets: the values; each is also looked for as it is written in addresses.
    init(_ secrets: [Secret]) {
        var texts: [String] = []
        for secret in secrets {
            let text = secret.reveal()
            // "Bearer abc": the part after the scheme is the secret.
            for part in [text] + text.split(separator: " ").dropFirst().map(String.init) where part.utf8.count >= 4 {
                texts.append(part)
                let encoded = Escape.url(part)
                if encoded != part { texts.append(encoded) }
            }
        }
        // Long ones first: one may be a part of another.
        self.secrets = texts.sorted { $0.utf8.count > $1.utf8.count }
    }

    func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { Self.replace($1, in: $0) }
    }

    func finds(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return secrets.contains { Self.place(of: Array($0.utf8), in: bytes, from: 0) != nil }
    }

    private static func replace(_ secret: String, in text: String) -> String {
        let (bytes, wanted) = (Array(text.utf8), Array(secret.utf8))
        guard var place = Self.place(of: wanted, in: bytes, from: 0) else { return text }
        var result: [UInt8] = []
        var start = 0
        while true {
            result += bytes[start..<place] + Array(Secret.shown.utf8)
            start = place + wanted.count
            guard let next = Self.place(of: wanted, in: bytes, from: start) else { break }
            place = next
        }
        result += bytes[start...]
        return String(decoding: result, as: UTF8.self)
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = wanted.first, bytes.count >= wanted.count + start else { return nil }
        return (start...(bytes.count - wanted.count)).first { place in
            bytes[place] == first && bytes[place..<place + wanted.count].elementsEqual(wanted)
        }
    }
}
