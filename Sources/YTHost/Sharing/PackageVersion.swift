// Versions of packages, in the order of Semantic Versioning 2.0.0 (semver.org): 1.2.0-beta.2 is older than 1.2.0.

/// `MAJOR.MINOR.PATCH`, with what comes before a release behind a hyphen.
struct PackageVersion: Comparable, Sendable, CustomStringConvertible {
    let numbers: [UInt32]
    let before: [String]

    init?(_ text: String) {
        let halves = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Self.number($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        before =
            halves.count == 2 ? halves[1].split(separator: ".", omittingEmptySubsequences: false).map(String.init) : []
        let isWord = { (word: String) in
            !word.isEmpty && word.utf8.count <= 32
                && word.utf8.allSatisfy {
                    Unicode.Scalar($0).properties.isAlphabetic || (0x30...0x39).contains($0) || $0 == 0x2D
                }
        }
        guard before.count <= 8, before.allSatisfy(isWord), text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    }

    /// Digits without a zero before them.
    private static func number(_ text: some StringProtocol) -> UInt32? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text == "0" || !text.hasPrefix("0") else {
            return nil
        }
        return UInt32(text)
    }

    var description: String {
        numbers.map(String.init).joined(separator: ".") + (before.isEmpty ? "" : "-" + before.joined(separator: "."))
    }

    static func < (one: PackageVersion, other: PackageVersion) -> Bool {
        if one.numbers != other.numbers { return one.numbers.lexicographicallyPrecedes(other.numbers) }
        if one.before.isEmpty || other.before.isEmpty { return !one.before.isEmpty && other.before.isEmpty }
        for (left, right) in zip(one.before, other.before) where left != right {
            switch (number(left), number(right)) {
            case (let left?, let right?): return left < right
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        }
        return one.before.count < other.before.count
    }
}
