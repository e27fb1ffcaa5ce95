// Which format plugin writes a kind of file.

import Files

/// Which format plugin writes a kind of file.
public enum Formats {
    private static let bySuffix = [
        "atom": "atom", "csv": "csv", "htm": "html", "html": "html", "jsonl": "jsonl", "m3u": "m3u", "m3u8": "m3u",
        "markdown": "markdown", "md": "markdown", "ndjson": "jsonl", "opml": "opml", "rss": "rss", "txt": "table",
        "xml": "rss",
    ]

    /// The suffix of a file's name without its dot, in lower case; nil when it has none.
    public static func suffix(ofFile path: String) -> String? {
        let name = FileSystem.base(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return suffix.isEmpty ? nil : suffix
    }

    /// The name of the format plugin for a suffix; nil when none is known.
    public static func format(ofSuffix suffix: String) -> String? { bySuffix[suffix] }
}
