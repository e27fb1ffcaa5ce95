// Merges two records of the same item. Fields of the first record take precedence unless the second has more: a search
// returns a truncated description, a lookup the full one.

import Basics

extension Video {
    /// This record, completed by another record of the same item.
    ///
    /// Unknown fields are taken from the other record. So are a text that continues this one's truncated text, and a
    /// list or record with more elements. `found_in` is the union of both.
    public func merged(with other: Video) -> Video {
        var merged = self
        for field in VideoField.allCases where field != .raw {
            let mine = self[field]
            let theirs = other[field]
            if theirs.isNone || mine == theirs { continue }
            switch field {
            case .foundIn: merged[field] = .list((mine.list ?? []) + (theirs.list ?? []).filter { $0.isNotIn(mine) })
            case .channel, .thumbnails: merged[field] = mine.joined(with: theirs)
            default: if mine.isNone || theirs.goesOn(from: mine) { merged[field] = theirs }
            }
        }
        let new = other.extra.filter { member in !extra.contains { $0.name == member.name } }
        if !new.isEmpty { merged.extra = extra + new }
        return merged
    }
}

extension FieldValue {
    fileprivate func isNotIn(_ list: FieldValue) -> Bool { list.list?.contains(self) != true }

    /// The union of two records. For members in both, this record's value is used.
    fileprivate func joined(with other: FieldValue) -> FieldValue {
        guard let mine = members, let theirs = other.members else { return isNone ? other : self }
        let new = theirs.filter { self[$0.name].isNone && !$0.value.isNone }
        return .record(mine.filter { member in !new.contains { $0.name == member.name } } + new)
    }

    /// Whether this value extends the other one: a longer text with the same beginning, or a larger list or record.
    fileprivate func goesOn(from other: FieldValue) -> Bool {
        if let text, let beginning = other.text {
            // Services truncate text with `...` or `…`.
            var kept = beginning.utf8[...]
            for ellipsis in ["...", "…"]
            where kept.count > 32 && kept.suffix(ellipsis.utf8.count).elementsEqual(ellipsis.utf8) {
                kept = kept.dropLast(ellipsis.utf8.count)
                while kept.last == UInt8(ascii: " ") { kept = kept.dropLast() }
            }
            return text.utf8.count > beginning.utf8.count && text.utf8.starts(with: kept)
        }
        if let list, let fewer = other.list { return list.count > fewer.count }
        if let members, let fewer = other.members { return members.count > fewer.count }
        return false
    }
}
