// Decompresses gzip input block by block, so that the output is never in memory as a whole. A file may have several
// members, and zeros at its end are padding.

import CInflate

/// A streaming gzip decompressor.
final class GzipReader {
    /// Errors of compressed input. Offsets count compressed bytes from 0.
    enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        case corrupt(String, offset: Int)
        /// Other data follows the compressed data.
        case moreAfterTheEnd(offset: Int)
        case endsEarly(offset: Int)
        case noMemory

        var description: String {
            switch self {
            case .corrupt(let reason, let offset): "\(reason) (about byte \(offset))"
            case .moreAfterTheEnd(let offset): "something else follows the compressed data (byte \(offset))"
            case .endsEarly(let offset): "it is cut off after byte \(offset)"
            case .noMemory: "not enough memory"
            }
        }
    }

    /// The first bytes of gzip data. The third one is the only existing compression method.
    static let magic: [UInt8] = [0x1F, 0x8B, 0x08]
    private static let blockSize = 256 << 10

    private enum State { case member, between, padding }

    private let stream: OpaquePointer
    private var state = State.member
    private var input: [UInt8] = []
    private var position = 0
    /// The number of compressed bytes before the current input.
    private var before = 0

    /// nil if out of memory.
    init?() {
        guard let stream = cinflate_create(CINFLATE_GZIP) else { return nil }
        self.stream = stream
    }

    deinit { cinflate_free(stream) }

    /// Adds compressed bytes. Preferably, the previous input has been consumed.
    func feed(_ bytes: [UInt8]) {
        if position == input.count {
            before += position
            input = bytes
        } else {
            before += position
            input = Array(input[position...]) + bytes
        }
        position = 0
    }

    /// The next block of output. nil if more input is needed.
    func next() throws(Fault) -> [UInt8]? {
        while true {
            if state != .member, try !beginMember() { return nil }
            if position == input.count { return nil }
            let block = try inflate()
            if !block.isEmpty { return block }
        }
    }

    /// Ends the input.
    ///
    /// - Throws: `.endsEarly` if the input is incomplete.
    func finish() throws(Fault) {
        if state == .member || position < input.count { throw .endsEarly(offset: before + input.count) }
    }

    /// Advances to the next member. Returns false if it has not started yet.
    private func beginMember() throws(Fault) -> Bool {
        while position < input.count, input[position] == 0 {
            state = .padding
            position += 1
        }
        if position == input.count { return false }
        let head = input[position...].prefix(Self.magic.count)
        guard state == .between, Self.magic.starts(with: head) else {
            throw .moreAfterTheEnd(offset: before + position)
        }
        if head.count < Self.magic.count { return false }
        cinflate_reset(stream)
        state = .member
        return true
    }

    private func inflate() throws(Fault) -> [UInt8] {
        var used = 0
        var status = CINFLATE_MORE
        let block = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, made in
            input.withUnsafeBufferPointer { input in
                let rest = UnsafeBufferPointer(rebasing: input[position...])
                status = cinflate_next(
                    stream, rest.baseAddress, rest.count, &used, buffer.baseAddress, buffer.count, &made)
            }
        }
        position += used
        switch status {
        case CINFLATE_END: state = .between
        case CINFLATE_CORRUPT:
            if !block.isEmpty { return block }
            throw .corrupt(String(cString: cinflate_reason(stream)), offset: before + position)
        case CINFLATE_NO_MEMORY: throw .noMemory
        default: break
        }
        return block
    }
}
