// Finds the end of a JSON value without parsing it, to split concatenated values in a stream. Every byte must be passed
// exactly once, in order.

/// Tracks an array or object up to its closing bracket.
package struct JSONValueEnd {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    package init() {}

    /// The index after the value's last byte; nil when the value does not end in these bytes.
    package mutating func find(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { buffer -> Int? in
            for index in 0..<buffer.count {
                let byte = buffer[index]
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
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth <= 0 { return bytes.startIndex + index + 1 }
                default: break
                }
            }
            return nil
        }
    }
}
