// Packs packages into tar archives. The bytes are identical on every machine and with every library version, so that
// archives can be compared: POSIX.1-1988 (ustar), uncompressed, files in canonical order, without times or owners, one
// mode for all files.

enum PackageArchive {
    private static let block = 512

    /// - Parameter name: the package's name, at most 40 bytes. With that prefix, every allowed path fits into a header.
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
        // ustar stores a name of up to 100 bytes and a path prefix of up to 155 bytes, split at a slash.
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
