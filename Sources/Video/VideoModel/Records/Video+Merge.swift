// Two records of one thing as one. What the first knows stays unless the second knows more: a search shows the beginning
// of a description, a look-up all of it.

import Basics

extension Video {
    /// This record with what another one of the same thing knows beyond it.
    ///
    /// A field that is unknown here is the other's. A text that the other goes on with, and a list or a record with more
    /// in it, is the other's, too. Where each was found is joined, each place once.
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

    /// Members of both; of those that both have, the first one's.
    fileprivate func joined(with other: FieldValue) -> FieldValue {
        guard let mine = members, let theirs = other.members else { return isNone ? other : self }
        let new = theirs.filter { self[$0.name].isNone && !$0.value.isNone }
        return .record(mine.filter { member in !new.contains { $0.name == member.name } } + new)
    }

    /// Whether it is the same with more after it.
    fileprivate func goesOn(from other: FieldValue) -> Bool {
        if let text, let beginning = other.text {
            // What a service cut short ends in an ellipsis of one or three characters.
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
