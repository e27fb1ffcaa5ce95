// What other programs need as a file, where nothing may stay behind: it is in memory, has no name in any folder, and ends
// with this process, however that ends.

import CProcess
import Glibc
import HostErrors

/// A file in memory.
package final class MemoryFile {
    private let descriptor: Int32

    /// Where programs of the same user find it as long as the value is there.
    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    package init(_ bytes: [UInt8]) throws(HostError) {
        descriptor = cprocess_memory_file()
        guard descriptor >= 0 else { throw .cannotWrite(path: "a file in memory", reason: FileSystem.reason) }
        try DescriptorSink.write(bytes, to: descriptor, name: "a file in memory")
    }

    deinit { close(descriptor) }
}
