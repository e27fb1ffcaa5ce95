// The options of `thumbnail`. URLs are resolved to records and records to pictures, which are fetched in parallel.
// YouTube pictures need no record, because their URLs follow from the video id.

import Arguments
import Gate
import Glibc
import HostErrors
import VideoModel

/// Options for fetching pictures of videos.
public struct ThumbnailRequest: Sendable {
    /// The requested properties of each picture.
    package var wish = Thumbnail.Wish()
    /// The timeout per request, in seconds.
    package var timeout = ThumbnailJob.usualTimeout
    /// The protocol for drawing on a terminal; nil detects it.
    public private(set) var graphics: TerminalImageOptions.GraphicsProtocol?
    /// Symbol sets for drawing, in libchafa's syntax; nil for the default.
    public private(set) var symbols: String?

    public init() {}

    /// The flags that set these options.
    public static let flags: [Flag<ThumbnailRequest>] = [
        Flag("width", value: "N", "minimum width in pixels; default the widest available") {
            wanted, value throws(HostError) in wanted.wish.width = try value.pixels()
        },
        Flag("height", value: "N", "minimum height in pixels") { wanted, value throws(HostError) in
            wanted.wish.height = try value.pixels()
        },
        Flag("aspect", value: "W:H", "only pictures of this shape, such as 16:9 or 9:16") {
            wanted, value throws(HostError) in
            guard let aspect = Thumbnail.Aspect(value.text) else {
                throw .usage(
                    "\(value.flag): '\(value.text)' is not written as 16:9 is, two whole numbers from 1 to 100")
            }
            wanted.wish.aspect = aspect
        },
        Flag(
            "format", value: "KIND",
            "only pictures of this kind: " + Thumbnail.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        ) { wanted, value throws(HostError) in
            guard let kind = Thumbnail.Kind(rawValue: value.text == "jpg" ? "jpeg" : value.text) else {
                throw .usage(
                    "\(value.flag): there is no '\(value.text)'; "
                        + Nearest.advice(for: value.text, among: Thumbnail.Kind.allCases.map(\.rawValue)))
            }
            wanted.wish.kind = kind
        },
        Flag(
            "graphics", value: "MEANS",
            "draw with symbols, sixel or kitty; default auto, by the terminal"
        ) { wanted, value throws(HostError) in
            let word = try value.word(among: ["auto"] + TerminalImageOptions.GraphicsProtocol.allCases.map(\.rawValue))
            wanted.graphics = TerminalImageOptions.GraphicsProtocol(rawValue: word)
        },
        Flag("symbols", value: "SETS", "symbol sets to draw with, such as block, half, braille or ascii, joined by +") {
            $0.symbols = $1.text
        },
        Flag("timeout", value: "SECONDS", "timeout for each size that is tried, 1 to 600; default 15") {
            wanted, value throws(HostError) in
            guard let seconds = Double(value.text), HTTPRequest.timeouts.contains(seconds) else {
                throw .usage("\(value.flag): '\(value.text)' is no number of seconds from 1 to 600")
            }
            wanted.timeout = seconds
        },
    ]
}

extension FlagValue {
    fileprivate func pixels() throws(HostError) -> Int64 {
        guard let size = Int64(text), 1...10_000 ~= size else {
            throw .usage("\(flag): '\(text)' is no whole number of pixels from 1 to 10000")
        }
        return size
    }
}
