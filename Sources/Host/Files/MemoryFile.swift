// In-memory files for other programs. They have no name in any folder and disappear with this process, however it ends.

import CProcess
import Glibc
import HostErrors

/// A file in memory.
package final class MemoryFile {
    private let descriptor: Int32

    /// A path under /proc, open to programs of the same user while this value exists.
    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    package init(_ bytes: [UInt8]) throws(HostError) {
        descriptor = cprocess_memory_file()
        cprocess_open_files(true)
        guard descriptor >= 0 else { throw .cannotWrite(path: "a file in memory", reason: FileSystem.reason) }
        try DescriptorSink.write(bytes, to: descriptor, name: "a file in memory")
    }

    deinit {
        cprocess_open_files(false)
        close(descriptor)
    }
}
