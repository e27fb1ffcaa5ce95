// Parses player parameters from one line of text.

import Basics

extension Embed {
    /// Parses `NAME=VALUE,NAME=VALUE`. A piece without `=` continues the previous value, as in `playlist=ID,ID`.
    ///
    /// - Parameter before: parameters already given. They are not returned, and must not be repeated.
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
