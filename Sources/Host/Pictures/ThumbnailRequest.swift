// What `thumbnail` is asked for, and how it is had: addresses become records, records pictures, and these are fetched at
// the same time. YouTube's need no record, since their addresses follow from the video's.

import Gate
import Glibc
import HostErrors
import Packages
import VideoModel

/// The pictures of videos.
public struct ThumbnailRequest: Sendable {
    /// What is wanted of each.
    package var wish = Thumbnail.Wish()
    /// Seconds for each request.
    package var timeout = ThumbnailJob.usualTimeout

    public init() {}

    /// What may be said, as the command has it.
    public static let flags: [HostFlag] = [
        HostFlag("width", nil, .value("N"), "pixels at least; the widest that is known when absent"),
        HostFlag("height", nil, .value("N"), "pixels at least"),
        HostFlag("aspect", nil, .value("W:H"), "no other shape is taken, such as 16:9 or 9:16"),
        HostFlag(
            "format", nil, .value("KIND"),
            "no other kind is taken: " + Thumbnail.Kind.allCases.map(\.rawValue).joined(separator: ", ")),
        HostFlag(
            "graphics", nil, .value("MEANS"),
            "draw with symbols, sixel or kitty; auto, as the terminal can, when absent on one"),
        HostFlag("symbols", nil, .value("SETS"), "draw with these, such as block, half, braille, ascii, joined by +"),
        HostFlag("timeout", nil, .value("SECONDS"), "for each size that is tried, 1 to 600; 15 when absent"),
    ]

    /// Sets what a flag says.
    ///
    /// - Throws: `.usage` for a value that it does not take.
    public mutating func set(_ flag: String, _ value: String) throws(HostError) {
        switch flag {
        case "width": wish.width = try pixels(value, flag)
        case "height": wish.height = try pixels(value, flag)
        case "aspect":
            guard let aspect = Thumbnail.Aspect(value) else {
                throw .usage("--aspect: '\(value)' is not written as 16:9 is, two whole numbers from 1 to 100")
            }
            wish.aspect = aspect
        case "format":
            guard let kind = Thumbnail.Kind(rawValue: value == "jpg" ? "jpeg" : value) else {
                throw .usage(
                    "--format: there is no '\(value)'; "
                        + Nearest.advice(for: value, among: Thumbnail.Kind.allCases.map(\.rawValue)))
            }
            wish.kind = kind
        default:
            guard let seconds = Double(value), HTTPRequest.timeouts.contains(seconds) else {
                throw .usage("--timeout: '\(value)' is no number of seconds from 1 to 600")
            }
            timeout = seconds
        }
    }

    private func pixels(_ value: String, _ flag: String) throws(HostError) -> Int64 {
        guard let size = Int64(value), 1...10_000 ~= size else {
            throw .usage("--\(flag): '\(value)' is no whole number of pixels from 1 to 10000")
        }
        return size
    }
}
