// The lines that two texts do not share. Short texts are compared exactly. Longer ones are first cut at lines that occur
// once in each, because the time of an exact comparison grows with the square of the changes.

enum LineChanges {
    typealias Line = ArraySlice<UInt8>

    /// The most lines of both texts together that are compared exactly.
    private static let mostExact = 6000

    /// The numbers, from 0, of the removed lines of `old` and of the added lines of `new`.
    static func between(_ old: [Line], _ new: [Line]) -> (gone: [Int], come: [Int]) {
        var gone: [Int] = []
        var come: [Int] = []
        var open = [(old.startIndex..<old.endIndex, new.startIndex..<new.endIndex)]
        while var (left, right) = open.popLast() {
            while let one = left.first, let other = right.first, old[one] == new[other] {
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
            while let one = left.last, let other = right.last, old[one] == new[other] {
                (left, right) = (left.dropLast(), right.dropLast())
            }
            if left.isEmpty || right.isEmpty {
                gone += left
                come += right
            } else if left.count + right.count <= mostExact {
                for change in new[right].difference(from: old[left]) {
                    switch change {
                    case .remove(let place, _, _): gone.append(left.lowerBound + place)
                    case .insert(let place, _, _): come.append(right.lowerBound + place)
                    }
                }
            } else {
                let shared = unique(old, left, new, right)
                if shared.isEmpty {
                    gone += left
                    come += right
                }
                var (one, other) = (left.lowerBound, right.lowerBound)
                for pair in shared {
                    open.append((one..<pair.old, other..<pair.new))
                    (one, other) = (pair.old + 1, pair.new + 1)
                }
                if !shared.isEmpty { open.append((one..<left.upperBound, other..<right.upperBound)) }
            }
        }
        return (gone.sorted(), come.sorted())
    }

    /// Lines that occur once in each part: the longest sequence of them that has the same order in both.
    private static func unique(
        _ old: [Line], _ left: Range<Int>, _ new: [Line], _ right: Range<Int>
    ) -> [(old: Int, new: Int)] {
        func places(_ lines: [Line], _ part: Range<Int>) -> [Line: Int?] {
            var places: [Line: Int?] = [:]
            for place in part { places[lines[place]] = .some(places[lines[place]] == nil ? place : nil) }
            return places
        }
        let there = places(new, right)
        var pairs: [(old: Int, new: Int)] = []
        for case (let line, let place?) in places(old, left) {
            if case let other?? = there[line] { pairs.append((place, other)) }
        }
        pairs.sort { $0.old < $1.old }
        // The end of the best sequence of each length, and the pair before each pair.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for index in pairs.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
            }
            before[index] = low == 0 ? nil : ends[low - 1]
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var found: [(old: Int, new: Int)] = []
        var next = ends.last
        while let index = next {
            found.append(pairs[index])
            next = before[index]
        }
        return found.reversed()
    }
}
