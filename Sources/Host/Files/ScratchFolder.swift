// A folder for what other programs need as files. What is easily got wrong: this process may be ended at any moment, and
// nobody would take the folder away then, unless somebody else is there to do it.

import CProcess
import Glibc
import HostErrors

/// A folder for the user alone that goes with the value, and with the process.
package final class ScratchFolder {
    package let path: String
    /// Waits for the end of this process, however it comes, and takes the folder away.
    private var guardian: (process: Int32, descriptor: Int32)?

    /// Only where there are no threads.
    package init() throws(HostError) {
        let base = SystemAccess.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        guard let name = strdup("\(base)/ythost-XXXXXX") else {
            throw .cannotWrite(path: base, reason: FileSystem.reason)
        }
        defer { free(name) }
        guard mkdtemp(name) != nil else { throw .cannotWrite(path: base, reason: FileSystem.reason) }
        path = String(cString: name)
        var descriptor: Int32 = -1
        let child = cprocess_fork(&descriptor)
        if child == 0 { Self.guarding(path, descriptor) }
        if child > 0 { guardian = (child, descriptor) }
    }

    deinit {
        try? FileSystem.removeTree(path)
        guard let guardian else { return }
        var code: Int32 = 0
        _ = cprocess_reap(guardian.process, true, &code)
        close(guardian.descriptor)
    }

    private static func guarding(_ path: String, _ descriptor: Int32) -> Never {
        cprocess_outlive()
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) < 0, errno == EINTR {}
        // Programs of the process that ended may write for a moment.
        for _ in 0..<40 where FileSystem.isFolder(path) {
            try? FileSystem.removeTree(path)
            usleep(50_000)
        }
        cprocess_exit(0)
    }
}
