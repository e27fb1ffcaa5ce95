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
        var subject = words.joined(separator: " ")[...]
        while let last = subject.last, ".!,".contains(last) { subject = subject.dropLast() }
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
            var word = Text.fold(String(word))[...]
            while let last = word.last, ",:;.!".contains(last) { word = word.dropLast() }
            return String(word)
        }
    }
}
