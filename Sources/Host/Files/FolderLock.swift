// Exclusive locks on folders, for files that several processes read, change and replace.

import Glibc
import HostErrors

/// An exclusive lock (flock) on a folder, held until the value is released or the process ends.
package final class FolderLock {
    private let descriptor: Int32
    private static let pause: UInt32 = 20_000

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - folder: must exist.
    ///   - seconds: how long to wait for another holder.
    /// - Returns: nil when another process still holds it.
    /// - Throws: `.cannotWrite` when the folder cannot be opened or locked.
    package init?(_ folder: String, waiting seconds: Double) throws(HostError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path: folder, reason: FileSystem.reason) }
        var left = seconds
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .cannotWrite(path: folder, reason: FileSystem.reason)
            }
            guard left > 0 else { return nil }
            usleep(Self.pause)
            left -= Double(Self.pause) / 1_000_000
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
