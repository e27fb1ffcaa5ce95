// A forked child process with a message channel. Fork only while the process has a single thread: in a child of a
// threaded process, locks may stay held forever.

import CProcess
import Glibc

/// Why a child process could not be started or limited.
package struct ProcessFault: Error {
    package let reason: String
}

/// A child process of this program. It is killed when this object is released.
package final class SandboxedProcess<Kind: RawRepresentable & Sendable> where Kind.RawValue == UInt8 {
    package let id: Int32
    package let channel: MessageChannel<Kind>
    private var isReaped = false

    package init(id: Int32, channel: MessageChannel<Kind>) {
        self.id = id
        self.channel = channel
    }

    /// Forks. `body` runs in the child, which usually sandboxes itself first (`confine`).
    package static func start(
        _ body: (MessageChannel<Kind>) -> Never
    ) throws(ProcessFault) -> SandboxedProcess {
        var descriptor: Int32 = -1
        let child = cprocess_fork(&descriptor)
        if child == 0 { body(MessageChannel(descriptor: descriptor)) }
        guard child > 0 else {
            throw ProcessFault(reason: "it could not be started: " + String(cString: strerror(errno)))
        }
        return SandboxedProcess(id: child, channel: MessageChannel(descriptor: descriptor))
    }

    deinit { if !isReaped { _ = wait(killing: true) } }

    /// Sets kernel limits for the child.
    ///
    /// - Parameters:
    ///   - memory: bytes the child may allocate beyond its size at the fork; 0 for no limit.
    ///   - cpuSeconds: CPU time after which the kernel kills it; 0 for no limit.
    package func limit(memory: UInt64, cpuSeconds: UInt64) throws(ProcessFault) {
        guard cprocess_limit(id, memory, cpuSeconds) else {
            throw ProcessFault(reason: "it could not be limited: " + String(cString: strerror(errno)))
        }
    }

    /// Waits until the child has ended. Returns the signal that ended it, or 0.
    package func wait(killing: Bool) -> Int32 {
        var code: Int32 = 0
        isReaped = true
        return cprocess_reap(id, killing, &code)
    }

    /// Waits for a child whose socket has closed. Returns the signal that ended it or 0, its CPU time in seconds and
    /// its peak memory in bytes.
    package func waitAfterClose() -> (signal: Int32, seconds: Double, bytes: UInt64) {
        var seconds = 0.0
        var bytes: UInt64 = 0
        isReaped = true
        let signal = cprocess_reap_gone(id, &seconds, &bytes)
        return (signal, seconds, bytes)
    }

    // MARK: - In the child

    /// Sandboxes the calling process permanently: only the channel stays open, and no file, socket or process can be
    /// opened.
    ///
    /// - Parameter trapsLoader: whether `openat` raises a signal, so that the parent can open libraries for it
    ///   (`CLibrary`).
    package static func confine(_ channel: MessageChannel<Kind>, trapsLoader: Bool = false) {
        _ = cprocess_confine(channel.descriptor, trapsLoader)
    }

    /// Ends the process immediately, without cleanup.
    package static func exit(_ code: Int32 = 0) -> Never { cprocess_exit(code) }
}
