// "Did you mean": the known name nearest to a misspelt one, if one is near.

public enum Nearest {
    /// The candidate with the smallest edit distance, at most a third of the word's length and with at least one letter
    /// unchanged; nil when there is none.
    public static func name(to word: String, among candidates: some Sequence<String>) -> String? {
        // A very long word is unlikely to be a typo, and comparing it would be slow.
        if word.utf8.count > 256 { return nil }
        let limit = max(1, word.count / 3)
        let wanted = Array(word.lowercased())
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(wanted, Array(candidate.lowercased()))
            // A word in which every letter changes is a different word.
            if distance <= limit, distance < max(wanted.count, candidate.count), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// `; did you mean 'x'?`, or the list of candidates if none is near and the list is short.
    public static func advice(for word: String, among candidates: some Sequence<String>) -> String {
        let all = Array(candidates)
        if let name = name(to: word, among: all) { return "did you mean '\(name)'?" }
        return all.isEmpty ? "" : "known: " + all.joined(separator: ", ")
    }

    /// Edits (insert, delete, replace, swap neighbours) between two words.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        if abs(a.count - b.count) > 6 { return .max }
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            before = above
            above = row
        }
        return above[b.count]
    }
}
