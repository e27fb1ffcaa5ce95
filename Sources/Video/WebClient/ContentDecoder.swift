// Undoes the coding of a body (RFC 9110, 8.4.1). libcurl could do it, too, but takes a body whose compressed data end in
// the middle for a whole one.

import CInflate

final class ContentDecoder {
    /// What bodies may be coded with, as Accept-Encoding names it.
    static let accepted =
        [(CINFLATE_GZIP, "gzip"), (CINFLATE_BROTLI, "br"), (nil, "identity")]
        .filter { $0.0.map(cinflate_is_available) ?? true }.map(\.1).joined(separator: ", ")

    enum Failure: Error {
        /// The body is not what its header says, or in a coding that was not asked for.
        case corrupt
        case noMemory
    }

    private let stream: OpaquePointer
    /// Whether a stream may have several members.
    private let hasMembers: Bool
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private var isBegun = false
    /// A member of a gzip stream, or the brotli stream, has ended, and nothing came behind it.
    private var isAtEnd = false
    /// What stands behind the data is left out.
    private var isOver = false

    /// - Parameter header: the value of Content-Encoding; nil is given for one that changes nothing.
    init?(_ header: String?) throws(Failure) {
        let name = (header ?? "").filter { $0 != " " && $0 != "\t" }.lowercased()
        let coding: cinflate_coding
        switch name {
        case "", "identity": return nil
        case "gzip", "x-gzip": coding = CINFLATE_GZIP
        case "br": coding = CINFLATE_BROTLI
        default: throw .corrupt
        }
        guard cinflate_is_available(coding) else { throw .corrupt }
        guard let stream = cinflate_create(coding) else { throw .noMemory }
        self.stream = stream
        hasMembers = coding == CINFLATE_GZIP
    }

    deinit {
        cinflate_free(stream)
    }

    /// Whether the data ended where the body does. A body of no bytes at all is one, too.
    var isWhole: Bool { isAtEnd || !isBegun }

    /// Gives what a piece of the body holds to `take`, block by block, until that returns false.
    ///
    /// - Returns: whether all was taken.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Failure) -> Bool {
        var rest = bytes[...]
        if !rest.isEmpty { isBegun = true }
        while !isOver {
            // Another member may follow; anything else behind the data is no part of it (RFC 1952, 2.2).
            if isAtEnd {
                guard let first = rest.first else { return true }
                guard hasMembers, first == 0x1F else {
                    isOver = true
                    return true
                }
                cinflate_reset(stream)
                isAtEnd = false
            }
            let (used, made) = try step(UnsafeBufferPointer(rebasing: rest))
            rest = rest.dropFirst(used)
            if made > 0, !room.withUnsafeBufferPointer({ take(UnsafeBufferPointer(rebasing: $0[..<made])) }) {
                return false
            }
            if rest.isEmpty, made < room.count, !isAtEnd { return true }
            if used == 0, made == 0, !isAtEnd { return true }
        }
        return true
    }

    /// Bytes that were read, and that were written to `room`.
    private func step(_ input: UnsafeBufferPointer<UInt8>) throws(Failure) -> (used: Int, made: Int) {
        var used = 0
        var made = 0
        let count = room.count
        switch cinflate_next(stream, input.baseAddress, input.count, &used, &room, count, &made) {
        case CINFLATE_MORE: break
        case CINFLATE_END: isAtEnd = true
        case CINFLATE_NO_MEMORY: throw .noMemory
        default: throw .corrupt
        }
        return (used, made)
    }
}
