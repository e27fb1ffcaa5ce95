// A bidirectional message channel over a connected socket. Neither side trusts lengths from the other: a message over a
// limit ends the connection. Wire format:
//
//     kind (1 byte) | header length (4, little-endian) | body length (4) | header (MessageCoding) | body

import Basics
import CLibrary
import Glibc
import Threads

/// A message of a protocol. `Kind` enumerates the message types.
package struct Message<Kind: RawRepresentable & Sendable>: Sendable where Kind.RawValue == UInt8 {
    package var kind: Kind
    package var header: FieldValue
    package var body: [UInt8]

    package init(kind: Kind, header: FieldValue = .none, body: [UInt8] = []) {
        self.kind = kind
        self.header = header
        self.body = body
    }
}

package final class MessageChannel<Kind: RawRepresentable & Sendable> where Kind.RawValue == UInt8 {
    /// Maximum size of a header and of a body, in bytes.
    private static var largestHeader: Int { 1 << 20 }
    private static var largestBody: Int { 1 << 30 }
    /// Bodies below this size are copied behind the header, which is cheaper than a second system call.
    private static var shortBody: Int { 4096 }

    package let descriptor: Int32
    /// Deadline for receiving a complete message, in seconds of the monotonic clock; nil for none.
    package var deadline: Double?

    package init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Sends a complete message. Returns false when the peer has closed the socket, and nil, without sending, when the
    /// message is too large.
    package func send(_ message: Message<Kind>) -> Bool? {
        let isShort = message.body.count < Self.shortBody
        guard let frame = Self.frame(message, withBody: isShort) else { return nil }
        return send(frame) && (isShort || send(message.body))
    }

    /// Encodes a message; nil when it is too large.
    package static func frame(_ message: Message<Kind>, withBody: Bool = true) -> [UInt8]? {
        let header = message.header.isNone ? [] : MessageCoding.encode(message.header)
        if header.count > largestHeader || message.body.count > largestBody { return nil }
        var frame: [UInt8] = [message.kind.rawValue]
        frame.reserveCapacity(9 + header.count + (withBody ? message.body.count : 0))
        for length in [header.count, message.body.count] {
            for shift in stride(from: 0, to: 32, by: 8) { frame.append(UInt8(truncatingIfNeeded: length >> shift)) }
        }
        frame += header
        if withBody { frame += message.body }
        return frame
    }

    /// Sends all bytes. Returns false when the peer has closed the socket.
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBufferPointer {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Passes a file descriptor to the peer. Returns false when the peer has closed the socket.
    package func send(descriptor handed: Int32) -> Bool {
        var byte: UInt8 = 0
        return clibrary_send(descriptor, &byte, 1, handed)
    }

    /// Receives a file descriptor; nil when the peer has closed the socket.
    package func receiveDescriptor() -> Int32? {
        var byte: UInt8 = 0
        var handed: Int32 = -1
        return clibrary_receive(descriptor, &byte, 1, &handed) && handed >= 0 ? handed : nil
    }

    /// Receives the next message. Returns nil when the peer has closed the socket or sent invalid data, and on the
    /// deadline.
    package func receive() -> Message<Kind>? {
        guard let start = receive(9), let kind = Kind(rawValue: start[0]) else { return nil }
        func length(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(start[offset + $1]) << ($1 * 8) } }
        let headerLength = length(at: 1)
        let bodyLength = length(at: 5)
        guard headerLength <= Self.largestHeader, bodyLength <= Self.largestBody, let header = receive(headerLength),
            let body = receive(bodyLength)
        else { return nil }
        if header.isEmpty { return Message<Kind>(kind: kind, body: body) }
        guard let value = MessageCoding.decode(header) else { return nil }
        return Message<Kind>(kind: kind, header: value, body: body)
    }

    private func receive(_ count: Int) -> [UInt8]? {
        var complete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                if let deadline, !isReadable(until: deadline) {
                    complete = false
                    return
                }
                let got = recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    complete = false
                    return
                }
            }
        }
        return complete ? bytes : nil
    }

    private func isReadable(until deadline: Double) -> Bool {
        let left = max(0, min((deadline - Clock.monotonic()) * 1000, 1e9))
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, Int32(left.rounded(.up))) != 0
    }
}
