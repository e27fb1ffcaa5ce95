// What is whole of a JSON document that ends in its middle or has a fault in it: the elements of its list before that
// place. What is easily got wrong: a list inside a record may be whole where the record is not, so only the elements of
// the document's own lists count.

package enum JSONSalvage {
    /// The document up to the last element that ends before the fault, with its brackets closed; nil when there is none.
    ///
    /// - Parameter fault: bytes before the fault.
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
