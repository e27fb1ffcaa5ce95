// Exclusive locks on folders, for plain files that several processes read, change and replace.

import Glibc

/// An exclusive lock (flock) on a folder, held until the value is released or the process ends.
package final class FolderLock {
    /// Why a folder cannot be locked.
    package struct Fault: Error {
        package let reason: String
        fileprivate static var system: Fault { Fault(reason: String(cString: strerror(errno))) }
    }

    private let descriptor: Int32
    private static let pause: UInt32 = 20_000

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - folder: must exist.
    ///   - seconds: how long to wait for another holder.
    /// - Returns: nil when another process still holds it.
    /// - Throws: `Fault` when the folder cannot be opened or locked.
    package init?(_ folder: String, waiting seconds: Double) throws(Fault) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system }
        var left = seconds
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system }
            guard left > 0 else { return nil }
            usleep(Self.pause)
            left -= Double(Self.pause) / 1_000_000
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
