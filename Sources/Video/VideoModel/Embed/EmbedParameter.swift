// Parameters of embedded players. Players ignore unknown parameters without an error, so every value is checked here,
// and obsolete names are rejected with an explanation.

import Basics

/// One parameter of a player.
public struct EmbedParameter: Sendable {
    public let name: String
    public let shape: Shape
    public let summary: String

    /// The type of a parameter's values.
    public enum Shape: Sendable, Equatable {
        /// true or false, sent as 1 or 0.
        case flag
        /// true only. If absent, the viewer's setting applies.
        case on
        /// Whole seconds, at least `from`; also written `1m30s` or `1:30`.
        case seconds(from: Int64)
        /// A whole number from 1 to 100 000.
        case position
        case word([String])
        /// A BCP 47 tag: `en`, `pt-BR`.
        case language
        /// A BCP 47 tag, optionally with a dot and the kind of track: `en.captions`.
        case track
        /// Three or six hexadecimal digits.
        case color
        /// One to four comma-separated colors.
        case colors
        case digits
        /// A scheme and a host: `https://example.org`.
        case origin
        /// An http or https URL.
        case address
        /// YouTube video ids, comma-separated or as a list.
        case videos
        /// A playlist id or a user name.
        case list
        /// 8 to 40 hexadecimal digits.
        case hash

        /// The expected values, for error messages.
        var expected: String {
            switch self {
            case .flag: "true or false"
            case .on: "true (what is not asked for is left to the viewer)"
            case .seconds(let least): "whole seconds from \(least), such as 90 or 1m30s"
            case .position: "a whole number from 1"
            case .word(let words): "one of " + words.joined(separator: ", ")
            case .language: "a language, such as en or pt-BR"
            case .track: "a language, such as en or en.captions"
            case .color: "three or six hexadecimal digits, such as 00adef"
            case .colors: "up to four colours of hexadecimal digits, with commas between"
            case .digits: "digits"
            case .origin: "a scheme and a host, such as https://example.org"
            case .address: "an address of http or https"
            case .videos: "ids of videos, 1 to 200, with commas between"
            case .list: "the id of a playlist, or a user's name"
            case .hash: "the hash of an unlisted video: 8 to 40 hexadecimal digits"
            }
        }
    }

    init(_ name: String, _ shape: Shape, _ summary: String) {
        self.name = name
        self.shape = shape
        self.summary = summary
    }

    /// The value for the URL, not yet percent-encoded. nil if it is invalid.
    func read(_ value: FieldValue) -> String? {
        switch shape {
        case .flag: return Self.flag(value).map { $0 ? "1" : "0" }
        case .on: return Self.flag(value) == true ? "1" : nil
        case .seconds(let least):
            let text = value.text.flatMap { $0.utf8.contains(UInt8(ascii: ".")) ? nil : $0 }
            let seconds = value.integer ?? text.flatMap(MediaRef.Page.time)
            return seconds.flatMap { $0 >= least && $0 <= Self.longest ? String($0) : nil }
        case .position:
            guard let number = Self.plain(value).flatMap({ Int64($0) }), (1...100_000).contains(number) else {
                return nil
            }
            return String(number)
        case .digits:
            guard let text = Self.plain(value), MediaRef.isVimeoID(text) else { return nil }
            return text
        case .word(let words):
            guard let text = Self.plain(value), words.contains(text) else { return nil }
            return text
        case .videos: return Self.videos(value)
        case .list:
            guard let text = value.text, MediaRef.isYouTubeListID(text) else { return nil }
            return text
        case .language, .track, .color, .colors, .origin, .address, .hash:
            return value.text.flatMap { read(text: $0) }
        }
    }

    private func read(text: String) -> String? {
        switch shape {
        case .language: return Self.isLanguage(text[...]) ? text : nil
        case .track:
            let halves = text.split(separator: ".", omittingEmptySubsequences: false)
            guard halves.count <= 2, Self.isLanguage(halves[0]),
                halves.count == 1 || ["captions", "subtitles", "main", "descriptions"].contains(halves[1])
            else { return nil }
            return text
        case .color: return Self.color(text[...])
        case .colors:
            let colors = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.color)
            guard (1...4).contains(colors.count), colors.allSatisfy({ $0 != nil }) else { return nil }
            return colors.compactMap(\.self).joined(separator: ",")
        case .origin:
            guard let address = WebAddress(text), let host = address.host, MediaRef.isServerName(host),
                address.scheme == "https" || address.scheme == "http", address.userInformation == nil,
                address.path.isEmpty || address.path == "/", address.query == nil, address.fragment == nil
            else { return nil }
            return "\(address.scheme ?? "https")://\(host)" + (address.port.map { ":\($0)" } ?? "")
        case .address: return Escape.webAddress(text)
        case .hash:
            let isHash = (8...40).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isHexadecimal)
            return isHash ? text : nil
        default: return nil
        }
    }

    /// The longest time in seconds: 100 days.
    private static let longest: Int64 = 8_640_000

    private static func flag(_ value: FieldValue) -> Bool? {
        if let flag = value.bool { return flag }
        return switch plain(value) {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }

    /// A text, or an integer converted to text.
    private static func plain(_ value: FieldValue) -> String? { value.text ?? value.integer.map { String($0) } }

    private static func videos(_ value: FieldValue) -> String? {
        let ids =
            value.list.map { $0.map { $0.text ?? "" } }
            ?? value.text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        guard (1...200).contains(ids.count), ids.allSatisfy(MediaRef.isYouTubeVideoID) else { return nil }
        return ids.joined(separator: ",")
    }

    private static func isLanguage(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return (2...3).contains(parts.first?.count ?? 0) && parts.count <= 4
            && (parts.first?.allSatisfy(ByteScanner.isLetter) ?? false)
            && parts.dropFirst().allSatisfy { part in
                (2...8).contains(part.count)
                    && part.allSatisfy { ByteScanner.isLetter($0) || ByteScanner.isDigit($0) }
            }
    }

    /// The color in lower case without `#`. nil if it is invalid.
    private static func color(_ text: Substring) -> String? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text
        guard [3, 6].contains(digits.utf8.count), digits.utf8.allSatisfy(isHexadecimal) else { return nil }
        return digits.lowercased()
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        ByteScanner.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
