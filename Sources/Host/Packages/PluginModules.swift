// The Lua files beside a plugin, read once. Permanent grants are bound to a digest over them, and a plugin with such
// grants loads its modules from these bytes, so the digest that was compared is that of the code that runs.

import Files
import Glibc
import HostErrors

/// The files that `require` can find in a plugin's folder and its `lib`, up to the deepest module name.
package struct PluginModules: Sendable {
    /// Relative paths and contents, in the order of the digest.
    private let files: [(path: String, bytes: [UInt8])]

    /// Limits: entries of folders that are looked at, and bytes.
    private static let mostEntries = 4000
    private static let mostBytes = 32 << 20

    /// Reads the files. Links are not followed.
    ///
    /// - Throws: `.usage` for a folder that exceeds the limits, `.cannotRead`.
    init(of plugin: PluginFile) throws(HostError) {
        var files: [(path: String, bytes: [UInt8])] = []
        var entries = 0
        var bytes = 0
        func tooMuch(_ what: String) -> HostError {
            .usage(
                "grants for good are bound to the Lua files beside a plugin, and \(plugin.folder) holds \(what)",
                hint: "keep the plugin in a folder of its own")
        }
        func add(_ below: String, depth: Int) throws(HostError) {
            let folder = below.isEmpty ? plugin.folder : "\(plugin.folder)/\(below)"
            let names = FileSystem.entries(of: folder, most: Self.mostEntries - entries + 1)
            entries += names.count
            guard entries <= Self.mostEntries else { throw tooMuch("over \(Self.mostEntries) entries") }
            for name in names {
                let path = below.isEmpty ? name : "\(below)/\(name)"
                let isLua = name.hasSuffix(".lua")
                guard PluginLocator.isModuleName(isLua ? String(name.dropLast(4)) : name) else { continue }
                switch FileSystem.kind(of: "\(plugin.folder)/\(path)") {
                case S_IFREG? where isLua && !path.isSameName(as: FileSystem.base(of: plugin.path)):
                    let text = try FileSystem.readFile(
                        "\(plugin.folder)/\(path)", limit: PluginLocator.largestFile, followsLinks: false)
                    bytes += text.count
                    guard bytes <= Self.mostBytes else { throw tooMuch("over \(Self.mostBytes >> 20) MiB of them") }
                    files.append((path, text))
                case S_IFDIR? where depth < PluginLocator.deepestName: try add(path, depth: depth + 1)
                default: break
                }
            }
        }
        try add("", depth: 0)
        self.files = files
    }

    /// SHA-256 over the plugin's file and these files, in lower-case hexadecimal.
    func digest(of plugin: PluginFile) throws(HostError) -> String {
        var bytes: [UInt8] = []
        for (name, text) in [("plugin", plugin.text)] + files.map({ ($0.path, $0.bytes) }) {
            bytes += Array("\(name)\0\(text.count)\0".utf8)
            bytes += text
        }
        return try Digest.sha256(bytes)
    }

    subscript(path: String) -> [UInt8]? { files.first { $0.path == path }?.bytes }
}
