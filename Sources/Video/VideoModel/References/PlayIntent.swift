// Sentences that ask for something to be played, as people write them to a chat client. What is easily got wrong: the
// play word counts only where it leads; "display", "player" and "how do I play chess" ask for nothing to be played.

import Basics

/// Reads what a sentence wants played.
public enum PlayIntent {
    /// What to play; nil when the sentence does not begin with the word `play`, behind a greeting or a courtesy. Empty
    /// when it is all there is.
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

    /// What may stand before the play word; longer ones before those that they begin with.
    private static let openings = [
        ["could", "you", "please"], ["can", "you", "please"], ["could", "you"], ["can", "you"], ["please"], ["hey"],
        ["hi"],
        ["ok"], ["okay"], ["now"],
    ]

    /// Words in lower case without the punctuation around them.
    private static func bare(_ words: some Sequence<Substring>) -> [String] {
        words.map { word in
            var word = Text.fold(String(word))[...]
            while let last = word.last, ",:;.!".contains(last) { word = word.dropLast() }
            return String(word)
        }
    }
}
