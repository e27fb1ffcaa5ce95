// Maps file suffixes to format plugins.

import Files

/// Maps file suffixes to format plugins.
public enum Formats {
    private static let bySuffix = [
        "atom": "atom", "csv": "csv", "htm": "html", "html": "html", "jsonl": "jsonl", "m3u": "m3u", "m3u8": "m3u",
        "markdown": "markdown", "md": "markdown", "ndjson": "jsonl", "opml": "opml", "rss": "rss", "txt": "table",
        "xml": "rss",
    ]

    /// The suffix of a file name without its dot, in lower case; nil if there is none.
    public static func suffix(ofFile path: String) -> String? {
        let name = FileSystem.base(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return suffix.isEmpty ? nil : suffix
    }

    /// The name of the format plugin for a suffix; nil if there is none.
    public static func format(ofSuffix suffix: String) -> String? { bySuffix[suffix] }
}
