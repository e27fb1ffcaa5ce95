// All names of the file that a path leads to, and of the folders and links on the way. A folder has as many names as
// links lead to it, `..` after a link is not the textual parent, and an unreadable name is not a missing one. So names
// are bytes, folders are compared by device and inode, and unknowns are errors.

import Files
import Glibc
import HostErrors

/// The resolution of a path through folders and links.
struct PathAliases {
    private typealias Name = [[UInt8]]

    private enum Step {
        case part([UInt8])
        /// A link's target is reached: these are its names through the link.
        case arrived([Name])
    }

    private let path: String
    /// All absolute names of the file; the first contains no links.
    private var names: [Name] = [[]]
    /// All names of the links that were followed.
    private var links: [Name] = []
    /// Folders that were visited but are not part of the names: those that `..` left, and the current folder.
    private var passed: [Name] = []
    /// The file's path relative to each folder above it.
    private var below: [Place: Name] = [:]

    /// Identifies a file or folder by device and inode.
    private struct Place: Hashable {
        var device: UInt64
        var number: UInt64

        /// nil when `stat` fails.
        init?(_ path: [UInt8], _ status: inout stat) {
            guard stat(path.map(CChar.init(bitPattern:)) + [0], &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }

        init?(_ path: [UInt8]) {
            var status = stat()
            self.init(path, &status)
        }
    }

    /// The system's limit on followed links, and the most names per file.
    private static let mostLinks = 40
    private static let mostNames = 1000

    /// - Throws: `.cannotRead` when the path cannot be resolved.
    init(to path: String) throws(HostError) {
        self.path = path
        if !path.hasPrefix("/") {
            guard let here = realpath(".", nil) else { throw .cannotRead(path: ".", reason: FileSystem.reason) }
            defer { free(here) }
            names = [Self.parts((0..<strlen(here)).map { UInt8(bitPattern: here[$0]) })]
            passed = names
        }
        var steps = Self.parts(Array(path.utf8)).map(Step.part)
        var left = Self.mostLinks
        while !steps.isEmpty {
            switch steps.removeFirst() {
            case .arrived(let more):
                for name in more where !names.contains(name) { names.append(name) }
                guard names.count <= Self.mostNames else { throw tooManyLinks }
            case .part(let part) where part == [UInt8(ascii: ".")]: continue
            case .part(let part) where part == Array("..".utf8):
                passed += names
                let real = Array(names[0].dropLast())
                let place = Place(Self.text(real))
                names = [real] + names.dropFirst().map { $0.dropLast() }.filter { Place(Self.text($0)) == place }
            case .part(let part):
                let longer = names.map { $0 + [part] }
                guard let target = try link(at: Self.text(longer[0])) else {
                    names = longer
                    continue
                }
                guard left > 0 else { throw tooManyLinks }
                left -= 1
                links += longer
                if target.first == UInt8(ascii: "/") { names = [[]] }
                steps.insert(contentsOf: Self.parts(target).map(Step.part) + [.arrived(longer)], at: 0)
            }
        }
        try checkArrival()
        for count in 0..<names[0].count {
            if let place = Place(Self.text(names[0].prefix(count))) { below[place] = Array(names[0].dropFirst(count)) }
        }
    }

    private var tooManyLinks: HostError { .cannotRead(path: path, reason: "there are too many links in it") }

    /// Refuses paths where the kernel's result differs from the link texts: /proc links to open files and processes
    /// need not follow their text.
    private func checkArrival() throws(HostError) {
        var status = stat()
        guard let place = Place(Array(path.utf8), &status), status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 0,
            place != Place(Self.text(names[0]))
        else { return }
        throw .cannotRead(path: path, reason: "it cannot be told in which folder it is; call it by another path")
    }

    private static func parts(_ text: [UInt8]) -> Name { text.split(separator: UInt8(ascii: "/")).map { Array($0) } }

    private static func text(_ name: some Collection<[UInt8]>) -> [UInt8] {
        name.isEmpty ? [UInt8(ascii: "/")] : name.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// The target of a link; nil when the path is not a link or does not exist.
    private func link(at place: [UInt8]) throws(HostError) -> [UInt8]? {
        let name = place.map(CChar.init(bitPattern:)) + [0]
        var status = stat()
        guard lstat(name, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .cannotRead(path: path, reason: FileSystem.reason)
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(name, &buffer, buffer.count)
        guard count > 0, count < buffer.count else {
            throw .cannotRead(path: path, reason: count < 0 ? FileSystem.reason : "a link in it is too long")
        }
        return buffer.prefix(count).map(UInt8.init(bitPattern:))
    }

    // MARK: Packages

    /// The package directories that apply to the file, innermost first: those above any of its names, above the links
    /// to it, and above the current folder.
    func homes() throws(HostError) -> [PackageDirectory] {
        var seen: Set<[UInt8]> = []
        var homes: [PackageDirectory] = []
        for name in names + links + passed {
            // A visited folder can itself contain a lock.
            for count in stride(from: name.count, through: 0, by: -1) {
                let folder = Self.text(name.prefix(count))
                guard seen.insert(folder).inserted, let home = try Self.home(at: folder) else { continue }
                homes.append(home)
            }
        }
        return homes
    }

    private static func home(at folder: [UInt8]) throws(HostError) -> PackageDirectory? {
        if let text = String(validating: folder, as: UTF8.self) {
            let home = PackageDirectory(folder: text)
            return home.exists ? home : nil
        }
        // The folder may have another, valid name. If it has none, its lock cannot be checked.
        let bytes = folder.map(CChar.init(bitPattern:))
        var status = stat()
        if lstat(bytes + "/\(PackageLock.name)".utf8CString, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            return nil
        }
        if let real = realpath(bytes + [0], nil) {
            defer { free(real) }
            if let text = String(validatingCString: real) {
                let home = PackageDirectory(folder: text)
                return home.exists ? home : nil
            }
        }
        throw .package(
            .badPlace(path: String(decoding: folder, as: UTF8.self), reason: "its name is no text in UTF-8"))
    }

    /// The file's possible locations in the packages of a directory: by its names, and by the folders that really
    /// contain it.
    func places(in home: PackageDirectory) -> [(name: String, inside: String)] {
        let plugins = Self.parts(Array(home.plugins.utf8))
        var found: [(name: String, inside: String)] = []
        func add(_ package: [UInt8], _ rest: some Sequence<[UInt8]>) {
            let inside = String(decoding: Array(rest.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
            guard let name = String(validating: package, as: UTF8.self), PackageManifest.isName(name),
                !inside.isEmpty, !found.contains(where: { $0 == (name, inside) })
            else { return }
            found.append((name, inside))
        }
        for name in names where name.count > plugins.count && name.starts(with: plugins) {
            add(name[plugins.count], name.dropFirst(plugins.count + 1))
        }
        for package in FileSystem.entries(of: home.plugins) {
            let name = Array(package.utf8)
            if let rest = Place(Self.text(plugins + [name])).flatMap({ below[$0] }) { add(name, rest) }
        }
        return found
    }

    /// Whether the file, or a link to it, is in the directory's folder or its plugins, under any name.
    func isIn(_ home: PackageDirectory) -> Bool {
        let folder = Self.parts(Array(home.folder.utf8))
        if (names + links).contains(where: { $0.starts(with: folder) }) { return true }
        return [home.folder, home.plugins].contains { Place(Array($0.utf8)).map { below[$0] != nil } ?? false }
    }
}
