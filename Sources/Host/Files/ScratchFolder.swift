// Temporary folders for other programs. This process can be killed at any moment, so a guardian child process also
// removes the folder.

import CProcess
import Glibc
import HostErrors

/// A private folder, removed when this value is released or the process ends.
package final class ScratchFolder {
    package let path: String
    /// The child that removes the folder after this process ends, for whatever reason.
    private var guardian: (process: Int32, descriptor: Int32)?

    /// Forks, so it may be called only while the process has a single thread.
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
        // Programs started by the ended process may still be writing.
        for _ in 0..<40 where FileSystem.isFolder(path) {
            try? FileSystem.removeTree(path)
            usleep(50_000)
        }
        cprocess_exit(0)
    }
}
