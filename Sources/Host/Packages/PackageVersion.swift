// Package versions, ordered as in Semantic Versioning 2.0.0 (semver.org): 1.2.0-beta.2 is older than 1.2.0, and build
// metadata after a plus sign is ignored.

/// `MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]`.
struct PackageVersion: Comparable, Sendable, CustomStringConvertible {
    let numbers: [UInt32]
    let before: [String]
    let build: [String]

    /// The most bytes in a version, which is part of file names.
    static let longest = 100

    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let release = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = release[0].split(separator: ".", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Self.isNumber($0) ? UInt32($0) : nil }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        func words(_ halves: [Substring]) -> [String] {
            halves.count == 2
                ? halves[1].split(separator: ".", omittingEmptySubsequences: false).map(String.init) : []
        }
        before = words(release)
        build = words(halves)
        // Numeric pre-release identifiers have no leading zero.
        guard (before + build).allSatisfy(Self.isWord),
            before.allSatisfy({ !$0.utf8.allSatisfy(Self.isDigit) || Self.isNumber($0) })
        else { return nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D }
    }

    /// Digits of any number, without a leading zero.
    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isDigit) && (text == "0" || !text.hasPrefix("0"))
    }

    var description: String {
        numbers.map(String.init).joined(separator: ".") + (before.isEmpty ? "" : "-" + before.joined(separator: "."))
            + (build.isEmpty ? "" : "+" + build.joined(separator: "."))
    }

    static func < (one: PackageVersion, other: PackageVersion) -> Bool {
        if one.numbers != other.numbers { return one.numbers.lexicographicallyPrecedes(other.numbers) }
        if one.before.isEmpty || other.before.isEmpty { return !one.before.isEmpty && other.before.isEmpty }
        for (left, right) in zip(one.before, other.before) where left != right {
            switch (isNumber(left), isNumber(right)) {
            // Identifiers can exceed an integer's range; the longer number is larger.
            case (true, true) where left.utf8.count != right.utf8.count: return left.utf8.count < right.utf8.count
            case (true, false): return true
            case (false, true): return false
            default: return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        }
        return one.before.count < other.before.count
    }
}
