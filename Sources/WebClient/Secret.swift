// A key, a token or a password. Whatever prints, logs or inspects it sees REDACTED; only `reveal` gives the text, so
// that looking for that word finds every place where a secret leaves.

import Glibc
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
                // In an address, and in JSON as some write it.
                let slashed = part.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
                for form in [Escape.url(part), slashed] where form != part { texts.append(form) }
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
        replaced(Array(secret.utf8), in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The bytes with REDACTED wherever they hold a secret; nil when they hold none.
    private static func replaced(_ wanted: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
        guard var place = Self.place(of: wanted, in: bytes, from: 0) else { return nil }
        var result: [UInt8] = []
        var start = 0
        while true {
            result += bytes[start..<place] + Array(Secret.shown.utf8)
            start = place + wanted.count
            guard let next = Self.place(of: wanted, in: bytes, from: start) else { break }
            place = next
        }
        return result + bytes[start...]
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let head = wanted.first, bytes.count >= wanted.count + start else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var start = start
            while bytes.count - start >= wanted.count,
                let found = memchr(base + start, Int32(head), bytes.count - start - wanted.count + 1)
            {
                let place = UnsafeRawPointer(found) - base
                if memcmp(base + place, wanted, wanted.count) == 0 { return place }
                start = place + 1
            }
            return nil
        }
    }

    /// Takes the secrets out of what a server said.
    func redact(_ response: inout WebResponse) {
        for secret in secrets {
            if let body = Self.replaced(Array(secret.utf8), in: response.body) { response.body = body }
        }
        if response.headers.all.contains(where: { finds(in: $0.value) }) {
            response.headers = WebHeaders(response.headers.all.map { WebHeader($0.name, self($0.value)) })
        }
    }
}
