// Detects requests to play something in chat messages. The word "play" counts only at the beginning: "display",
// "player" and "how do I play chess" are not requests.

import Basics

/// Requests to play something.
public enum PlayIntent {
    /// The text after the word "play". nil if the message does not start with "play", optionally after a greeting or a
    /// polite phrase. Empty if nothing follows.
    public static func subject(of text: String) -> String? {
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        for opening in openings where bare(words.prefix(opening.count)) == opening {
            words = words.dropFirst(opening.count)
            break
        }
        guard let first = words.first, bare([first]) == ["play"] else { return nil }
        words = words.dropFirst()
        while let last = words.last, bare([last]) == ["please"] { words = words.dropLast() }
        var subject = without(".!,", words.joined(separator: " "))[...]
        for (open, close) in [("\"", "\""), ("\u{201C}", "\u{201D}"), ("'", "'"), ("\u{AB}", "\u{BB}")]
        where subject.count > 1 && subject.hasPrefix(open) && subject.hasSuffix(close) {
            subject = subject.dropFirst().dropLast()
        }
        return String(subject)
    }

    /// Phrases that may precede "play". A longer phrase comes before its own prefix.
    private static let openings = [
        ["could", "you", "please"], ["can", "you", "please"], ["could", "you"], ["can", "you"], ["please"], ["hey"],
        ["hi"],
        ["ok"], ["okay"], ["now"],
    ]

    /// The words in lower case without trailing punctuation.
    private static func bare(_ words: some Sequence<Substring>) -> [String] {
        words.map { word in
            without(",:;.!", Text.fold(String(word)))
        }
    }

    /// The text without ASCII punctuation at its end. Works on bytes: the last character of a substring is found by
    /// reading it from its beginning.
    private static func without(_ punctuation: StaticString, _ text: String) -> String {
        let end = text.utf8.lastIndex { byte in !punctuation.withUTF8Buffer { $0.contains(byte) } }
        return String(text.utf8[..<(end.map(text.utf8.index(after:)) ?? text.startIndex)]) ?? text
    }
}
