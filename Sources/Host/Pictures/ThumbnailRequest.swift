// What `thumbnail` is asked for, and how it is had: addresses become records, records pictures, and these are fetched at
// the same time. YouTube's need no record, since their addresses follow from the video's.

import Arguments
import Gate
import Glibc
import HostErrors
import VideoModel

/// The pictures of videos.
public struct ThumbnailRequest: Sendable {
    /// What is wanted of each.
    package var wish = Thumbnail.Wish()
    /// Seconds for each request.
    package var timeout = ThumbnailJob.usualTimeout
    /// What pictures are drawn with on a terminal; nil for what it can.
    public private(set) var graphics: TerminalImageOptions.GraphicsProtocol?
    /// Sets of symbols that pictures are drawn with, in libchafa's words; nil for the usual ones.
    public private(set) var symbols: String?

    public init() {}

    /// The flags that set it.
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
