// Parses image headers: the format, the size, and whether the image is complete. Images are not decoded. The server's
// media type is not trusted, and a small file may have a huge number of pixels.

import VideoModel

/// The header of a JPEG, PNG, GIF, WebP or AVIF image.
public struct ImageHeader: Sendable, Equatable {
    public typealias Kind = Thumbnail.Kind

    public let kind: Kind
    /// In pixels, at least 1.
    public let width, height: Int64
    /// Whether the image ends with its end marker, and so is complete.
    public let isWhole: Bool

    /// The maximum number of pixels. Larger images are decompression bombs or of no use.
    public static let mostPixels: Int64 = 40_000_000

    /// nil if the bytes are not an image in a known format, or exceed `mostPixels`.
    public init?(_ bytes: [UInt8]) {
        guard let found = Self.found(in: bytes), found.width > 0, found.height > 0,
            found.width <= Self.mostPixels / found.height
        else { return nil }
        (kind, width, height, isWhole) = found
    }

    private static func found(in bytes: [UInt8]) -> (kind: Kind, width: Int64, height: Int64, isWhole: Bool)? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            Self.jpeg(bytes)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            Self.png(bytes)
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            Self.gif(bytes)
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            Self.webp(bytes)
        } else if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
            Self.avif(bytes)
        } else {
            nil
        }
    }

    /// An unsigned integer of `count` bytes, big-endian unless `small`. nil beyond the end.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int, small: Bool = false) -> Int64? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        let part = bytes[place..<place + count]
        return (small ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// ITU T.81, B. The size is in the frame header, which has one of several markers.
    private static func jpeg(_ bytes: [UInt8]) -> (Kind, Int64, Int64, Bool)? {
        var place = 2
        while let mark = number(bytes, place, 2), mark & 0xFF00 == 0xFF00 {
            if mark == 0xFFFF {
                place += 1
                continue
            }
            guard let length = number(bytes, place + 2, 2), length >= 2 else { return nil }
            if (0xFFC0...0xFFCF).contains(mark), ![0xFFC4, 0xFFC8, 0xFFCC].contains(mark) {
                guard let height = number(bytes, place + 5, 2), let width = number(bytes, place + 7, 2) else {
                    return nil
                }
                return (.jpeg, width, height, jpegEnds(bytes, from: place))
            }
            place += 2 + Int(length)
        }
        return nil
    }

    /// Whether the end marker (`FF D9`) follows a marker. Data after it is ignored, because some writers append zeros
    /// or text.
    private static func jpegEnds(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var place = start
            while place + 1 < bytes.count {
                guard bytes[place] == 0xFF else {
                    place += 1
                    continue
                }
                switch bytes[place + 1] {
                case 0xD9: return true
                case 0xFF: place += 1
                // Part of entropy-coded data.
                case 0, 1, 0xD0...0xD8: place += 2
                default:
                    guard place + 3 < bytes.count else { return false }
                    place += 2 + max(2, Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
                }
            }
            return false
        }
    }

    private static func png(_ bytes: [UInt8]) -> (Kind, Int64, Int64, Bool)? {
        guard bytes.dropFirst(12).starts(with: "IHDR".utf8), let width = number(bytes, 16, 4),
            let height = number(bytes, 20, 4)
        else { return nil }
        var place = 8
        while let length = number(bytes, place, 4), length <= Int64(bytes.count - place) - 12 {
            if bytes[(place + 4)...].starts(with: "IEND".utf8) { return (.png, width, height, true) }
            place += 12 + Int(length)
        }
        return (.png, width, height, false)
    }

    private static func gif(_ bytes: [UInt8]) -> (Kind, Int64, Int64, Bool)? {
        guard let width = number(bytes, 6, 2, small: true), let height = number(bytes, 8, 2, small: true) else {
            return nil
        }
        return (.gif, width, height, gifEnds(bytes))
    }

    /// Whether the trailer (GIF89a, 27) is reached after all blocks and images.
    private static func gifEnds(_ bytes: [UInt8]) -> Bool {
        func table(_ place: Int) -> Int {
            bytes.indices.contains(place) && bytes[place] & 0x80 != 0 ? 3 << (Int(bytes[place] & 7) + 1) : 0
        }
        var place = 13 + table(10)
        while place < bytes.count {
            switch bytes[place] {
            case 0x3B: return true
            case 0x21: place += 2
            case 0x2C: place += 11 + table(place + 9)
            default: return false
            }
            // Sub-blocks of up to 255 bytes, ended by an empty one.
            while place < bytes.count, bytes[place] != 0 { place += 1 + Int(bytes[place]) }
            place += 1
        }
        return false
    }

    /// RFC 9649, 2: simple lossy, simple lossless, extended.
    private static func webp(_ bytes: [UInt8]) -> (Kind, Int64, Int64, Bool)? {
        guard let size = number(bytes, 4, 4, small: true) else { return nil }
        let isWhole = Int64(bytes.count) >= size + 8
        switch String(decoding: bytes.dropFirst(12).prefix(4), as: UTF8.self) {
        case "VP8 ":
            guard let width = number(bytes, 26, 2, small: true), let height = number(bytes, 28, 2, small: true) else {
                return nil
            }
            return (.webp, width & 0x3FFF, height & 0x3FFF, isWhole)
        case "VP8L":
            guard let bits = number(bytes, 21, 4, small: true) else { return nil }
            return (.webp, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, isWhole)
        case "VP8X":
            guard let width = number(bytes, 24, 3, small: true), let height = number(bytes, 27, 3, small: true) else {
                return nil
            }
            return (.webp, width + 1, height + 1, isWhole)
        default: return nil
        }
    }

    /// ISO/IEC 14496-12 (boxes), 23008-12 (`meta` and `ispe`) and AV1 Image File Format 1.1 (brands). An image with
    /// tiles or transparency has several sizes; the largest one is the image's.
    private static func avif(_ bytes: [UInt8]) -> (Kind, Int64, Int64, Bool)? {
        let (top, isWhole) = boxes(bytes, 0..<bytes.count)
        guard let type = top.first, top.count > 1,
            brands(bytes, type.inside).contains(where: ["avif", "avis"].contains),
            let meta = top.first(where: { $0.name == "meta" }), meta.inside.count > 4
        else { return nil }
        var inside = [meta.inside.dropFirst(4)].map { $0.lowerBound..<$0.upperBound }
        for name in ["iprp", "ipco"] {
            inside = inside.flatMap { boxes(bytes, $0).0 }.filter { $0.name == name }.map(\.inside)
        }
        let sizes = inside.flatMap { boxes(bytes, $0).0 }.filter { $0.name == "ispe" }.compactMap { box in
            number(bytes, box.inside.lowerBound + 4, 4).flatMap { width in
                number(bytes, box.inside.lowerBound + 8, 4).map { (width, $0) }
            }
        }
        guard let (width, height) = sizes.max(by: { $0.0 * $0.1 < $1.0 * $1.1 }) else { return nil }
        // The coded image follows the metadata, usually in `mdat`.
        return (.avif, width, height, isWhole && top.contains { $0.name == "mdat" || $0.name == "idat" })
    }

    /// The major brand of a file and its compatible brands.
    private static func brands(_ bytes: [UInt8], _ inside: Range<Int>) -> [String] {
        stride(from: inside.lowerBound, to: inside.upperBound - 3, by: 4)
            .filter { $0 != inside.lowerBound + 4 }.prefix(64)
            .map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
    }

    /// The boxes of a range, and whether the last one ends at its end.
    private static func boxes(_ bytes: [UInt8], _ part: Range<Int>) -> ([(name: String, inside: Range<Int>)], Bool) {
        var found: [(String, Range<Int>)] = []
        var place = part.lowerBound
        while found.count < 256, let size = number(bytes, place, 4), place + 8 <= part.upperBound {
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            var start = place + 8
            var length = size
            if size == 1, let large = number(bytes, start, 8) {
                (start, length) = (start + 8, large)
            } else if size == 0 {
                length = Int64(part.upperBound - place)
            }
            guard length >= start - place, length <= part.upperBound - place else {
                // The box is truncated. Use the part that is present.
                found.append((name, min(start, part.upperBound)..<part.upperBound))
                return (found, false)
            }
            found.append((name, start..<place + Int(length)))
            place += Int(length)
        }
        // A rest too short for a box, such as a line end, is ignored.
        return (found, part.upperBound - place < 8)
    }

    /// Why the bytes have no valid header, as the second half of a sentence.
    public static func refusal(of bytes: [UInt8]) -> String {
        if let found = Self.found(in: bytes), found.width > 0, found.height > 0 {
            return "it has \(found.width)x\(found.height) pixels, and \(mostPixels / 1_000_000) million are the most"
        }
        guard let first = bytes.first(where: { ![9, 10, 13, 32].contains($0) }) else { return "it is empty" }
        if first == UInt8(ascii: "<") { return "it is no picture but text such as HTML or SVG" }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return "it is no picture but JSON" }
        let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        return "it is no picture of a kind that is known (\(known))"
    }
}
