// Decodes the Content-Encoding of a body (RFC 9110, 8.4.1). libcurl's own decoder is not used: it accepts a body whose
// compressed data is truncated.

import CInflate

final class ContentDecoder {
    /// Supported content codings, as the value of Accept-Encoding.
    static let accepted =
        [(CINFLATE_GZIP, "gzip"), (CINFLATE_ZLIB, "deflate"), (CINFLATE_BROTLI, "br"), (nil, "identity")]
        .filter { $0.0.map(cinflate_is_available) ?? true }.map(\.1).joined(separator: ", ")

    enum Failure: Error {
        /// The body does not match its Content-Encoding, or the coding is not supported.
        case corrupt
        case noMemory
    }

    /// nil until the first two bytes of a `deflate` body say which kind it is.
    private var stream: OpaquePointer?
    private var head: [UInt8] = []
    /// Whether the format allows several members in one stream (gzip).
    private let hasMembers: Bool
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private var isBegun = false
    /// A gzip member or the brotli stream has ended, and no further bytes were read.
    private var isAtEnd = false
    /// Bytes after the compressed data are ignored.
    private var isOver = false

    /// - Parameter header: the value of Content-Encoding. The result is nil for `identity` or a missing header.
    init?(_ header: String?) throws(Failure) {
        let name = (header ?? "").filter { $0 != " " && $0 != "\t" }.lowercased()
        let coding: cinflate_coding?
        switch name {
        case "", "identity": return nil
        case "gzip", "x-gzip": coding = CINFLATE_GZIP
        case "br": coding = CINFLATE_BROTLI
        case "deflate": coding = nil
        default: throw .corrupt
        }
        hasMembers = coding == CINFLATE_GZIP
        guard let coding else { return }
        guard cinflate_is_available(coding) else { throw .corrupt }
        guard let stream = cinflate_create(coding) else { throw .noMemory }
        self.stream = stream
    }

    deinit {
        if let stream { cinflate_free(stream) }
    }

    /// Whether the compressed data is complete. An empty body is.
    var isWhole: Bool { isAtEnd || !isBegun }

    /// Decodes a piece of the body and passes the output to `take` in blocks until `take` returns false.
    ///
    /// - Returns: false if `take` returned false.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Failure) -> Bool {
        if !bytes.isEmpty { isBegun = true }
        guard stream == nil else { return try inflate(bytes[...], take) }
        head += bytes
        guard head.count >= 2 else { return true }
        guard let stream = cinflate_create(Self.isZlib(head) ? CINFLATE_ZLIB : CINFLATE_DEFLATE) else {
            throw .noMemory
        }
        self.stream = stream
        let body = head
        head = []
        return try body.withUnsafeBufferPointer { bytes throws(Failure) in try inflate(bytes[...], take) }
    }

    /// Whether a `deflate` body is a zlib stream, as RFC 9110 has it, by the check sum of its header (RFC 1950, 2.2). Old
    /// servers send bare deflate.
    private static func isZlib(_ head: [UInt8]) -> Bool {
        head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
    }

    private func inflate(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ take: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Failure) -> Bool {
        var rest = bytes
        while !isOver {
            // Another gzip member may follow. Other bytes after the data do not belong to it (RFC 1952, 2.2).
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

    /// One decoder step: the number of input bytes read, and of bytes written to `room`.
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
