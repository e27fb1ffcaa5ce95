// Media types of files. Many servers and feeds declare none, or one that says nothing, such as application/octet-stream;
// then the file's name decides. The plugins' table in plugins/lib/yt/media.lua has the same rows.

import Basics
import Markup

enum MediaType {
    /// A media type in lower case, without parameters and surrounding white space. nil if it is missing or blank.
    static func name(_ text: String?) -> String? {
        text?.split(separator: ";").first.flatMap { FeedText.known(MarkupText.line(String($0)).lowercased()) }
    }

    /// The type of a file: the declared one with its parameters if it says what the file is, otherwise the type by the
    /// name of the file, otherwise the declared one.
    static func ofFile(_ declared: String?, at url: String) -> String? {
        let whole = declared.flatMap { FeedText.known(MarkupText.line($0).lowercased()) }
        if let whole, tells(whole), !isStream(whole) { return whole }
        return byName(url) ?? whole
    }

    /// Whether a type says what a file is.
    static func tells(_ type: String) -> Bool { name(type).map { $0.contains("/") && !vague.contains($0) } ?? false }

    /// The type by the name at the end of a URL's path.
    private static func byName(_ url: String) -> String? {
        guard let file = WebAddress(url)?.pathSegments.last, let dot = file.lastIndex(of: ".") else { return nil }
        return types[file[file.index(after: dot)...].lowercased()]
    }

    static func isVideo(_ type: String) -> Bool { type.hasPrefix("video/") || isStream(type) }
    static func isAudio(_ type: String) -> Bool { type.hasPrefix("audio/") }
    static func isPicture(_ type: String) -> Bool { type.hasPrefix("image/") }

    /// Whether it is a list of the parts of a stream: HLS or DASH.
    private static func isStream(_ type: String) -> Bool { streams.contains(name(type) ?? "") }

    private static let streams: Set<String> = [
        "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/mpegurl", "application/dash+xml",
    ]

    /// Types that do not say what a file is.
    private static let vague: Set<String> = [
        "application/octet-stream", "binary/octet-stream", "application/octetstream", "application/binary",
        "application/force-download", "application/x-force-download", "application/download",
        "application/x-download", "application/unknown", "application/x-unknown", "unknown/unknown", "application/file",
        "application/mp4", "application/ogg", "*/*",
    ]

    /// By the end of the file's name.
    private static let types = [
        "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/x-m4a", "m4b": "audio/x-m4b", "mp3": "audio/mpeg",
        "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/x-wav", "weba": "audio/webm",
        "m4v": "video/x-m4v", "mkv": "video/x-matroska", "mov": "video/quicktime", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "mpg": "video/mpeg", "ogv": "video/ogg", "webm": "video/webm",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
        "avif": "image/avif", "gif": "image/gif", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
        "webp": "image/webp",
    ]
}
