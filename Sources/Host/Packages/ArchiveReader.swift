// Unpacks archives in a sandboxed child process, in memory. The child cannot open files. Its messages are untrusted:
// they are checked before any file is written.

import Basics
import CArchive
import CProcess
import Glibc
import HostErrors
import Sandbox
import Threads

/// Messages between the reader and its child process.
private enum ArchiveMessageKind: UInt8, Sendable {
    /// From the parent: the archive, as the body.
    case archive
    /// From the child: a file's `path` and bytes; a forbidden `path` with the `reason`; a damaged archive with the
    /// `reason`; libarchive is not installed; the end.
    case file, badFile, badArchive, noLibrary, end
}

enum ArchiveReader {
    /// The largest archive, in bytes.
    static let largest = 32 << 20
    /// Limits of the child: CPU seconds, total seconds, and bytes on top of its initial memory.
    private static let cpuSeconds: UInt64 = 20
    private static let seconds = 60.0
    private static let memory: UInt64 = 256 << 20

    /// The files of an archive. When all of them are in one top folder, paths are relative to it.
    ///
    /// - Parameter place: the archive's name in error messages.
    /// - Throws: `.package` when it is not an archive or contains a forbidden file.
    static func files(of bytes: [UInt8], place: String) throws(HostError) -> PackageFiles {
        let child: SandboxedProcess<ArchiveMessageKind>
        do throws(ProcessFault) {
            child = try SandboxedProcess.start { unpack($0) }
            try child.limit(memory: memory, cpuSeconds: cpuSeconds)
        } catch { throw .workerDied(error.reason) }
        let channel = child.channel
        _ = channel.send(Message(kind: .archive, body: bytes))
        channel.deadline = Clock.monotonic() + seconds
        var found: [(path: String, bytes: [UInt8])] = []
        var sum = 0
        while true {
            guard let message = channel.receive() else {
                throw .package(.badArchive(place: place, reason: "it takes too much time or memory to unpack"))
            }
            let path = message.header["path"].text ?? ""
            switch message.kind {
            case .end: return try PackageFiles(belowTop(found))
            case .badArchive: throw .package(.badArchive(place: place, reason: message.header["reason"].text ?? "?"))
            case .noLibrary: throw .package(.missingTool("libarchive", package: CARCHIVE_PACKAGE))
            case .file:
                sum += message.body.count
                guard sum <= PackageFiles.largestSum, found.count < PackageFiles.mostFiles else {
                    throw PackageFiles.tooMuch
                }
                found.append((path, message.body))
            case .badFile: throw .package(.badFile(path: path, reason: message.header["reason"].text ?? "?"))
            case .archive: throw .workerDied("it sent an unexpected message")
            }
        }
    }

    private static func belowTop(_ found: [(path: String, bytes: [UInt8])]) -> [(path: String, bytes: [UInt8])] {
        guard let top = found.first?.path.split(separator: "/").first.map({ $0 + "/" }),
            found.allSatisfy({ $0.path.hasPrefix(top) })
        else { return found }
        return found.map { (String($0.path.dropFirst(top.count)), $0.bytes) }
    }

    // MARK: In the child

    private static func unpack(_ channel: MessageChannel<ArchiveMessageKind>) -> Never {
        let isThere = carchive_load()
        SandboxedProcess.confine(channel)
        guard let message = channel.receive() else { cprocess_exit(0) }
        guard isThere else {
            _ = channel.send(Message(kind: .noLibrary))
            cprocess_exit(0)
        }
        message.body.withUnsafeBytes { bytes in
            guard let archive = carchive_open(bytes.baseAddress, bytes.count) else { cprocess_exit(1) }
            let last = send(archive, channel)
            _ = channel.send(last)
        }
        cprocess_exit(0)
    }

    /// Sends every file and returns the final message.
    private static func send(_ archive: OpaquePointer, _ channel: MessageChannel<ArchiveMessageKind>) -> Message<
        ArchiveMessageKind
    > {
        func said(_ kind: ArchiveMessageKind, _ path: String, _ reason: String) -> Message<ArchiveMessageKind> {
            Message(kind: kind, header: .record([.init("path", .text(path)), .init("reason", .text(reason))]))
        }
        func damaged() -> Message<ArchiveMessageKind> {
            said(.badArchive, "", String(cString: carchive_reason(archive)))
        }
        var kind: Int32 = 0
        var entries = 0
        var sum = 0
        while true {
            let more = carchive_next(archive, &kind)
            if more == 0 {
                return entries == 0 ? said(.badArchive, "", "there is nothing in it") : Message(kind: .end)
            }
            if more < 0 { return damaged() }
            entries += 1
            // Folders and hidden files count, too: an archive could consist of nothing else and never end.
            guard let name = carchive_path(archive), var path = String(validatingCString: name) else {
                return said(.badFile, "?", "its name cannot be read")
            }
            if entries > PackageFiles.mostFiles * 4 {
                return said(.badFile, path, "the archive has more than \(PackageFiles.mostFiles * 4) entries")
            }
            if path.hasPrefix("./") { path.removeFirst(2) }
            if kind == Int32(CARCHIVE_FOLDER) {
                while path.hasSuffix("/") { path.removeLast() }
                if path.isEmpty || path == "." { continue }
            }
            // Check this before hidden files are skipped: such a path shows that the archive is malicious.
            if path.hasPrefix("/") || path.split(separator: "/").contains("..") {
                return said(.badFile, path, "it leads out of the package")
            }
            if PackageFiles.isHidden(path) || kind == Int32(CARCHIVE_FOLDER) { continue }
            if kind == Int32(CARCHIVE_LINK) { return said(.badFile, path, "it is a link, and packages have none") }
            if kind != Int32(CARCHIVE_FILE) { return said(.badFile, path, "it is no file") }
            let size = carchive_size(archive)
            if size > Int64(PackageFiles.largestFile) {
                return said(.badFile, path, "with it a package is larger than one may be")
            }
            var body: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let got = block.withUnsafeMutableBytes { carchive_read(archive, $0.baseAddress, $0.count) }
                if got < 0 { return damaged() }
                if got == 0 { break }
                body += block.prefix(Int(got))
                sum += Int(got)
                if body.count > PackageFiles.largestFile || sum > PackageFiles.largestSum {
                    return said(.badFile, path, "with it a package is larger than one may be")
                }
            }
            // A hole at the end of a sparse file is not read, so the content would differ from the packed file.
            if size >= 0, body.count != Int(size) {
                return said(.badFile, path, "it has \(body.count) bytes, and the archive says \(size)")
            }
            guard
                channel.send(Message(kind: .file, header: .record([.init("path", .text(path))]), body: body))
                    == true
            else { cprocess_exit(0) }
        }
    }
}
