// File names for pictures. Ids and URLs are untrusted, so names contain only safe characters.

import Basics
import VideoModel

package enum PictureName {
    private static let longest = 80

    /// A unique name for each subject.
    package static func stems(of subjects: [PictureSubject]) -> [String] {
        var seen: Set<String> = []
        return subjects.map { subject in
            let stem = stem(of: subject.video)
            var name = stem
            var number = 2
            while !seen.insert(name).inserted {
                name = "\(stem)-\(number)"
                number += 1
            }
            return name
        }
    }

    private static func stem(of video: Video) -> String {
        let address = video.url.flatMap { WebAddress($0) }
        var last = address?.pathSegments.last { !$0.isEmpty } ?? ""
        // Drop the suffix of an image URL; the image's type is taken from its bytes.
        if let dot = last.lastIndex(of: "."), Thumbnail.Kind.said(by: "https://picture/\(last)") != nil {
            last = String(last[..<dot])
        }
        let page = [address?.host ?? "", last].filter { !$0.isEmpty }.joined(separator: "-")
        // Skip an id that is a URL; it would repeat the page.
        let id = video.id.flatMap { $0.mentions("://") ? nil : $0 }
        let texts = [id.map { "\(video.provider ?? "video")-\($0)" }, page, video.title]
        return texts.compactMap(\.self).map(safe).first { !$0.isEmpty } ?? "picture"
    }

    private static func safe(_ text: String) -> String {
        var name: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.append(byte)
            case UInt8(ascii: ".") where name.last.map { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") } ?? false:
                name.append(byte)
            default: if let last = name.last, last != UInt8(ascii: "-") { name.append(UInt8(ascii: "-")) }
            }
            if name.count == longest { break }
        }
        while let last = name.last, last == UInt8(ascii: ".") { name.removeLast() }
        while name.first == UInt8(ascii: "-") { name.removeFirst() }
        return String(decoding: name, as: UTF8.self)
    }
}
