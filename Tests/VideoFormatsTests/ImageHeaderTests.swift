// What the heads of pictures say, made here byte by byte.

import TestSupport
import Testing

@testable import VideoFormats
@testable import VideoModel

@Suite struct ImageHeaderTests {
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8, 1, 0x68, 2, 0x80, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 2, 7, 7, 0xFF, 0xD9]
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8 + [0, 0, 0, 120, 0, 0, 0, 90]
        + [8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0] + "IEND".utf8 + [0xAE, 0x42, 0x60, 0x82]
    static let gif: [UInt8] = Array("GIF89a".utf8) + [64, 1, 180, 0, 0, 0, 0, 0x3B]
    private static func webp(_ chunk: String, _ body: [UInt8]) -> [UInt8] {
        let inside = Array("WEBP\(chunk)".utf8) + [UInt8(body.count), 0, 0, 0] + body
        return Array("RIFF".utf8) + [UInt8(inside.count), 0, 0, 0] + inside
    }
    static let lossy = webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x40, 1, 180, 0])
    static let lossless = webp("VP8L", [0x2F, 0x3F, 0xC1, 0x2C, 0])
    static let extended = webp("VP8X", [2, 0, 0, 0, 0x3F, 1, 0, 179, 0, 0])

    @Test(
        "kind, size and whether it is whole",
        arguments: [
            (jpeg, ImageHeader.Kind.jpeg, 640, 360), (png, .png, 120, 90), (gif, .gif, 320, 180),
            (lossy, .webp, 320, 180), (lossless, .webp, 320, 180), (extended, .webp, 320, 180),
            (PictureBytes.avif(1280, 720, tiles: [512, 64]), .avif, 1280, 720),
            (PictureBytes.avif(320, 180, brand: "avis"), .avif, 320, 180),
        ] as [([UInt8], ImageHeader.Kind, Int64, Int64)])
    func heads(bytes: [UInt8], kind: ImageHeader.Kind, width: Int64, height: Int64) throws {
        let head = try #require(ImageHeader(bytes))
        #expect(head.kind == kind && head.width == width && head.height == height && head.isWhole)
        #expect(ImageHeader(Array(bytes.dropLast(2)))?.isWhole != true)
        for count in 0..<bytes.count { #expect(ImageHeader(Array(bytes.prefix(count)))?.isWhole != true) }
    }

    @Test("what stands behind the end of a picture is nobody's, and no end is found in what is cut off")
    func tails() {
        for bytes in [Self.jpeg, Self.png, Self.gif, Self.lossy] {
            for tail in [[10], [UInt8](repeating: 0, count: 16), Array("<p>Picture &copy; somebody".utf8)] {
                #expect(ImageHeader(bytes + tail)?.isWhole == true)
            }
        }
        #expect(ImageHeader(PictureBytes.avif(64, 36) + [10])?.isWhole == true)
        // Ends of pictures inside, as those of an EXIF preview, of text and of data.
        var preview = Self.jpeg
        preview.replaceSubrange(4..<8, with: [0, 6, 0xFF, 0xD8, 0xFF, 0xD9])
        #expect(ImageHeader(preview)?.isWhole == true && ImageHeader(Array(preview.dropLast(2)))?.isWhole == false)
        let scan: [UInt8] = Array(Self.jpeg.dropLast(2)) + [0xFF, 0, 0xFF, 0xD3, 0xFF, 0xC4, 0, 4, 0xFF, 0xD9]
        #expect(ImageHeader(scan)?.isWhole == false && ImageHeader(scan + [9, 0xFF, 0xD9, 1])?.isWhole == true)
        let text = Array(Self.png.dropLast(12)) + [0, 0, 0, 8] + "tEXtIEND0000".utf8 + [1, 2, 3, 4]
        #expect(ImageHeader(text)?.isWhole == false && ImageHeader(text + Self.png.suffix(12))?.isWhole == true)
        let frame: [UInt8] =
            [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3B, 0x3B, 0x3B, 1, 1, 1, 2, 2, 0x3B]
        let gif = Array(Self.gif.dropLast()) + frame
        #expect(ImageHeader(gif)?.isWhole == false && ImageHeader(gif + [0x3B, 0])?.isWhole == false)
        #expect(ImageHeader(gif + [0x3B, 0, 0x3B, 7])?.isWhole == true)
    }

    @Test("an AVIF picture is one by its brands, and has a size only where its properties say so")
    func avif() {
        let video = PictureBytes.box("ftyp", Array("isom\0\0\0\0mp42".utf8)) + PictureBytes.box("mdat", [1])
        #expect(ImageHeader(video) == nil)
        // A brand that is not the main one.
        var other = PictureBytes.avif(64, 64)
        other.replaceSubrange(8..<12, with: "mif1".utf8)
        other.replaceSubrange(16..<20, with: "avif".utf8)
        #expect(ImageHeader(other)?.width == 64)
        #expect(ImageHeader(PictureBytes.avif(0, 64)) == nil && ImageHeader(PictureBytes.avif(60_000, 60_000)) == nil)
        #expect(ImageHeader(PictureBytes.box("ftyp", Array("avif\0\0\0\0".utf8))) == nil)
        // Boxes that say that they are longer than there is, or of no length.
        for size: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 7]] {
            for place in [0, 20, 32] {
                var broken = PictureBytes.avif(64, 64)
                broken.replaceSubrange(place..<place + 4, with: size)
                _ = ImageHeader(broken)
            }
        }
    }

    @Test("what is no picture, has no size, or more pixels than anybody looks at, is refused")
    func refused() {
        var bomb = Self.png
        bomb.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
        var empty = Self.png
        empty.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        for bytes in [
            bomb, empty, Array("<!DOCTYPE html>".utf8), Array("<svg xmlns='x'/>".utf8), [], [0xFF, 0xD8, 0xFF],
        ] {
            #expect(ImageHeader(bytes) == nil)
        }
        for (bytes, told) in [
            (bomb, "65536x65536 pixels, and 40 million"), ([], "it is empty"), ([10, 10], "it is empty"),
            (Array(" <!DOCTYPE html>".utf8), "HTML"), (Array("{}".utf8), "JSON"),
            ([1, 2], "it is no picture of a kind"),
            (empty, "it is no picture"),
        ] {
            #expect(ImageHeader.refusal(of: bytes).contains(told), "\(ImageHeader.refusal(of: bytes))")
        }
    }

    @Test("bytes that anybody may have made never do harm")
    func fuzz() {
        let seeds = [Self.jpeg, Self.png, Self.gif, Self.lossy, Self.lossless, Self.extended]
        Fuzz.forAWhile { random in
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            guard let head = ImageHeader(bytes) else { return }
            #expect(head.width > 0 && head.height > 0 && head.width * head.height <= ImageHeader.mostPixels)
        }
    }
}
