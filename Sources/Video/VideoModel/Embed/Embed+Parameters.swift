// Parameters of players as people write them in one line.

import Basics

extension Embed {
    /// Reads `NAME=VALUE,NAME=VALUE`; a piece without `=` belongs to the value before it, as in `playlist=ID,ID`.
    ///
    /// - Parameter before: what was said before, which is not said again.
    /// - Throws: `.notation`, `.twice`.
    public static func parameters(
        in text: String, after before: [FieldValue.Member] = []
    ) throws(EmbedProblem) -> [FieldValue.Member] {
        var read = before
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if pair.count == 2 {
                if pair[0].isEmpty { throw .notation(String(piece)) }
                if read.contains(where: { $0.name == pair[0] }) { throw .twice(pair[0]) }
                read.append(.init(pair[0], .text(pair[1])))
            } else if read.count > before.count {
                read[read.count - 1].value = .text((read[read.count - 1].value.text ?? "") + "," + piece)
            } else {
                throw .notation(String(piece))
            }
        }
        return Array(read.dropFirst(before.count))
    }
}
