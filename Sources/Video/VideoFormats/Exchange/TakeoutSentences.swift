// The sentences of a Google Takeout watch history, such as "Watched TITLE" in the account's language. The words around
// the title are found in the first entries. A wrong guess would cut words off titles, so a form that is known, or that
// surrounds a URL, takes precedence over what the sentences share.

import Basics

/// The words before and after the title in the sentences of a file.
struct TakeoutSentences: Sendable, Equatable {
    var before = ""
    var after = ""
    /// Whether sentences of another form say that something else was done, such as liking a video.
    var isCertain = false

    /// Forms in the languages of accounts. A form that contains another one comes first.
    private static let known: [(before: String, after: String)] = [
        ("Watched ", ""), ("", " angesehen"), ("Vous avez regardé ", ""), ("Has visto ", ""), ("Hai guardato ", ""),
        ("Je hebt naar ", " gekeken"), ("Tittade på ", ""), ("Så på ", ""), ("Så ", ""), ("Ați vizionat ", ""),
        ("Obejrzano: ", ""), ("Просмотрено видео: ", ""), ("Просмотрено видео ", ""), ("Ви дивилися відео ", ""),
        ("Гледахте ", ""), ("Παρακολουθήσατε το βίντεο ", ""), ("Zhlédli jste video ", ""), ("", " katsottiin"),
        ("", " adlı videoyu izlediniz"), ("", " izlənildi"), ("", " を視聴しました"), ("", " 을(를) 시청했습니다."),
        ("", " देखा"), ("", " দেখা হয়েছে"), ("Pinanood ang ", ""),
    ]

    /// English sentences about something else.
    private static let others = [
        "Liked ", "Disliked ", "Subscribed to ", "Unsubscribed from ", "Searched for ", "Saved ", "Visited ",
        "Voted on ", "Commented on ",
    ]

    init(before: String = "", after: String = "", isCertain: Bool = false) {
        self.before = before
        self.after = after
        self.isCertain = isCertain
    }

    /// Finds the form of the sentences about videos.
    ///
    /// - Parameter entries: the sentences with the URLs of their videos.
    init(_ entries: [(sentence: String, url: String)]) {
        self.init()
        if entries.isEmpty {
            before = Self.known[0].before
            return
        }
        let sentences = Set(entries.map(\.sentence))
        let counts = Self.known.map { form in
            sentences.count { TakeoutSentences(before: form.before, after: form.after).title(in: $0) != nil }
        }
        if let most = counts.max(), most * 2 >= sentences.count, let index = counts.firstIndex(of: most) {
            self.init(before: Self.known[index].before, after: Self.known[index].after, isCertain: true)
            return
        }
        // Videos without a title are named by their URL.
        for (sentence, url) in entries {
            guard sentence != url, let place = Self.range(of: url, in: sentence) else { continue }
            self.init(
                before: String(sentence[..<place.lowerBound]), after: String(sentence[place.upperBound...]),
                isCertain: true)
            return
        }
        let plain = sentences.filter { sentence in !Self.others.contains(where: sentence.hasPrefix) }
        if plain.count > 1 { (before, after) = Self.shared(plain) }
    }

    private static func range(of part: String, in text: String) -> Range<String.Index>? {
        guard let first = part.utf8.first else { return nil }
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: first) {
            if text.utf8[start...].starts(with: part.utf8) {
                return start..<text.utf8.index(start, offsetBy: part.utf8.count)
            }
            rest = rest[rest.index(after: start)...]
        }
        return nil
    }

    /// The words that all sentences begin and end with. A title is left of every sentence.
    private static func shared(_ sentences: Set<String>) -> (before: String, after: String) {
        let words = sentences.map { $0.split(separator: " ", omittingEmptySubsequences: false) }
        let shortest = words.map(\.count).min() ?? 0
        func common(_ word: (Int, [Substring]) -> Substring, upTo most: Int) -> Int {
            (0..<most).first { index in words.contains { word(index, $0) != word(index, words[0]) } } ?? most
        }
        let before = common({ $1[$0] }, upTo: shortest - 1)
        let after = common({ $1[$1.count - 1 - $0] }, upTo: shortest - 1 - before)
        return (
            words[0].prefix(before).map { $0 + " " }.joined(), words[0].suffix(after).map { " " + $0 }.joined()
        )
    }

    /// The title in a sentence. nil if the sentence has another form.
    func title(in sentence: String) -> String? {
        guard !before.isEmpty || !after.isEmpty, sentence.utf8.starts(with: before.utf8),
            sentence.utf8.suffix(after.utf8.count).elementsEqual(after.utf8),
            sentence.utf8.count > before.utf8.count + after.utf8.count
        else { return nil }
        return String(Substring(sentence.utf8.dropFirst(before.utf8.count).dropLast(after.utf8.count)))
    }

    /// Whether a sentence may be about watching.
    func isAboutWatching(_ sentence: String) -> Bool {
        if title(in: sentence) != nil { return true }
        return !isCertain && !Self.others.contains(where: sentence.hasPrefix)
    }
}
