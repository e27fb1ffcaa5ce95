// Swift wrapper of the utf8proc shim. This is the only file in Basics that handles its unsafe pointers. Scalars are
// plain `Int32`, so that folding and composing share one buffer.

import CUTF8Proc

enum UTF8Proc {
    /// Terminal columns of one scalar, 0 to 2, from the Unicode tables of the installed utf8proc.
    static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(cutf8proc_width(Int32(bitPattern: scalar.value)))
    }

    /// The scalars of the text, case folded and decomposed (NFKD). Returns nil when utf8proc fails, which it does only
    /// for text of more than a billion scalars.
    static func folded(_ text: String) -> [Int32]? {
        var text = text
        return text.withUTF8 { bytes in
            var needed = bytes.count + 16
            // The first attempt uses an estimated size, the second the exact one.
            for _ in 0..<2 {
                let capacity = needed
                let scalars = [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
                    needed = cutf8proc_fold(bytes.baseAddress, bytes.count, buffer.baseAddress, capacity)
                    count = (0...capacity).contains(needed) ? needed : 0
                }
                if needed < 0 { return nil }
                if needed <= capacity { return scalars }
            }
            return nil
        }
    }

    /// Composes decomposed scalars in place (NFKC). Leaves them unchanged when utf8proc fails.
    static func compose(_ scalars: inout [Int32]) {
        let count = scalars.withUnsafeMutableBufferPointer { cutf8proc_compose($0.baseAddress, $0.count) }
        if count >= 0 { scalars.removeLast(scalars.count - count) }
    }
}
