// Packages as one file. The bytes are the same on every machine and with every version of every library, so that people
// can compare them: a tar of the form of POSIX.1-1988 (ustar), not compressed, files in their canonical order, without
// times, owners or modes of anybody's.

enum PackageArchive {
    private static let block = 512

    /// - Parameter name: the package's, of at most 40 bytes: with it and a slash before them, all paths that a package may
    ///   have fit into a header.
    static func bytes(of files: PackageFiles, name: String) -> [UInt8] {
        var archive: [UInt8] = []
        var all = files.files.map { ($0.path, $0.bytes) }
        if let signature = files.signature { all.append((PackageFiles.signatureName, signature)) }
        all.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        for (path, bytes) in all {
            archive += header("\(name)/\(path)", bytes.count)
            archive += bytes
            archive += [UInt8](repeating: 0, count: (block - bytes.count % block) % block)
        }
        return archive + [UInt8](repeating: 0, count: 2 * block)
    }

    private static func header(_ path: String, _ size: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: some Sequence<UInt8>, at place: Int) {
            for (offset, byte) in text.enumerated() { header[place + offset] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> [UInt8] {
            let text = String(number, radix: 8)
            return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
        }
        // A name of up to 100 bytes, and before it up to 155 of a path that ends at a slash.
        let path = Array(path.utf8)
        var split = 0
        while path.count - split > 100, let slash = path[split...].firstIndex(of: UInt8(ascii: "/")) {
            split = slash + 1
        }
        put(path[split...], at: 0)
        if split > 0 { put(path[..<(split - 1)], at: 345) }
        put(octal(0o644, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        put(octal(size, 11), at: 124)
        put(octal(0, 11), at: 136)
        put("0".utf8, at: 156)
        put("ustar".utf8, at: 257)
        put("00".utf8, at: 263)
        put(Array("        ".utf8), at: 148)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, 6) + [0, UInt8(ascii: " ")], at: 148)
        return header
    }
}
