// Folders as inputs: their files in name order. Links to folders are not followed, because a link may lead to a parent
// folder. Hidden files and special files are skipped.

import Files
import Glibc
import HostErrors

package enum FolderWalk {
    /// The inputs, with every folder replaced by its files.
    ///
    /// - Throws: `.cannotRead` for a folder that cannot be opened, `.usage` for one without files.
    package static func expanded(_ inputs: [RecordInput]) throws(HostError) -> [RecordInput] {
        var expanded: [RecordInput] = []
        for input in inputs {
            guard case .file(let path) = input, FileSystem.isFolder(path) else {
                expanded.append(input)
                continue
            }
            let files = try files(in: path)
            if files.isEmpty { throw .usage("there are no files in \(path)") }
            expanded += files.map { .found($0) }
        }
        return expanded
    }

    private static func files(in top: String) throws(HostError) -> [String] {
        var files: [String] = []
        // The last element is visited next, so that files come in path order.
        var rest = [(path: top, isTop: true)]
        while let (path, isTop) = rest.popLast() {
            if !isTop, !isPlainFolder(path) {
                if FileSystem.isFile(path) { files.append(path) }
                continue
            }
            guard access(path, R_OK | X_OK) == 0 else { throw .cannotRead(path: path, reason: FileSystem.reason) }
            let names = FileSystem.entries(of: path).filter { !$0.hasPrefix(".") }
            let prefix = path.hasSuffix("/") ? path : path + "/"
            rest += names.reversed().map { (prefix + $0, false) }
        }
        return files
    }

    /// Whether it is a folder and not a link to one.
    private static func isPlainFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
