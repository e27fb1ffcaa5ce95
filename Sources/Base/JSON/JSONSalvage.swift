// Recovers the complete elements of a JSON document that is truncated or has a syntax error. Only elements of the
// document's top-level list, or of a list directly in its top-level record, count: a nested list may be complete inside
// an incomplete record.

package enum JSONSalvage {
    /// The document up to the last complete element before the error, with its brackets closed; nil when there is none.
    ///
    /// - Parameter fault: number of bytes before the error.
    package static func whole(of document: ArraySlice<UInt8>, before fault: Int) -> [UInt8]? {
        var open: [UInt8] = []
        var isInText = false
        var isEscaped = false
        var end: (index: Int, closers: [UInt8])?
        for index in document.indices.prefix(max(0, fault)) {
            let byte = document[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.popLast() == byte else { return nil }
                let isElement = open == [UInt8(ascii: "]")] || open == [UInt8(ascii: "}"), UInt8(ascii: "]")]
                if isElement { end = (index + 1, open.reversed()) }
            default: break
            }
        }
        return end.map { document[..<$0.index] + $0.closers }
    }
}
