// What the words of a query ask for, for sources that search by themselves. `|` binds tighter than a space: `a | b c`
// wants c, and a or b. A word that splits into several (`object-oriented`, any run of Han or kana) is a phrase of them.

import Basics

/// The parsed words of a query.
struct SearchWords: Sendable, Equatable {
    /// Each group wants one of its alternatives; no group is empty.
    private(set) var groups: [[Term]] = []
    /// None of these may occur.
    private(set) var excluded: [Term] = []
    private let literal: Bool

    /// A word, or a phrase: folded words that follow each other.
    struct Term: Sendable, Equatable {
        let words: [String]
        /// Whether it stood in quotes, so that its last word may not be the beginning of a longer one.
        let quoted: Bool
    }

    /// Whether there is nothing to find, only things to leave out or not even those.
    var isEmpty: Bool { groups.isEmpty }

    /// For each group, whether finding it alone is worth showing: not so for `how` or `the`, unless all are like that.
    var telling: [Bool] {
        let telling = groups.map { !$0.allSatisfy(\.isCommon) }
        return literal || !telling.contains(true) ? groups.map { _ in true } : telling
    }

    /// - Parameter literal: without operators: every word is searched as it stands.
    init(_ text: String, literal: Bool) {
        self.literal = literal
        if literal {
            for piece in text.split(whereSeparator: \.isWhitespace) {
                if let term = Term(piece, quoted: false) { groups.append([term]) }
            }
        } else {
            parse(text)
        }
    }

    private mutating func parse(_ text: String) {
        var rest = text[...]
        var joins = false  // the last thing was a term that a `|` can join to
        var either = false  // … and a `|` came after it
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
                continue
            }
            if first == "|" {
                rest.removeFirst()
                either = joins
                continue
            }
            let minus = rest.prefix { $0 == "-" }
            rest = rest[minus.endIndex...]
            let quoted = rest.first == "\""
            let piece: Substring
            if quoted {
                piece = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest[piece.endIndex...].dropFirst()
            } else {
                piece = rest.prefix { !$0.isWhitespace && $0 != "|" && $0 != "\"" }
                rest = rest[piece.endIndex...]
            }
            guard let term = Term(piece, quoted: quoted) else { continue }
            joins = minus.isEmpty
            if !joins {
                excluded.append(term)
            } else if either {
                groups[groups.count - 1].append(term)
            } else {
                groups.append([term])
            }
            either = false
        }
    }
}

extension SearchWords.Term {
    /// Nil when there is no letter or digit in it.
    init?(_ text: Substring, quoted: Bool) {
        let words = Text.words(String(text))
        guard !words.isEmpty else { return nil }
        self.init(words: words, quoted: quoted)
    }

    /// Whether it is an English word too common to find anything by alone.
    var isCommon: Bool { !quoted && words.count == 1 && Self.common.contains(words[0]) }

    private static let common: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "how", "in", "is", "it", "not",
        "of", "on", "or", "that", "the", "this", "to", "was", "what", "when", "where", "who", "why", "with", "you",
    ]
}

/// A term, ready to be looked for in text whose words are each led and followed by a space.
struct SearchPattern: Sendable {
    /// A space and a word, once or more.
    let bytes: [UInt8]
    /// Whether the last word may be the beginning of a longer one; one letter begins too many.
    let mayBePrefix: Bool

    /// - Parameter wholeWords: take no beginning of a word for the term.
    init(_ term: SearchWords.Term, wholeWords: Bool = false) {
        bytes = term.words.reduce(into: []) { bytes, word in
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: word.utf8)
        }
        mayBePrefix = !wholeWords && !term.quoted && (term.words.last?.unicodeScalars.count ?? 0) > 1
    }
}
