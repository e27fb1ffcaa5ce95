// `ythost.json`, the manifest that makes a folder a package: name, version, API, licence and plugins.

import Basics
import Files
import HostErrors
import JSON

/// A package's manifest.
struct PackageManifest: Sendable, Equatable {
    var name: String
    var version: PackageVersion
    /// The Lua API version that its plugins require.
    var api: Int64
    var licence: String
    /// The paths of its plugins in the package: `rss.lua`, or `rss/plugin.lua` for a folder.
    var plugins: [String]
    var summary: String?

    /// An example for error messages.
    static let example =
        #"{"name": "team", "version": "1.0.0", "api": 1, "licence": "MIT", "plugins": ["rss.lua"]}"#

    private static let members = ["name", "version", "api", "licence", "plugins", "summary"]

    /// - Parameter place: the location of the files, for error messages.
    /// - Throws: `.package(.noManifest)` or `.package(.badManifest)`.
    init(of files: PackageFiles, place: String) throws(HostError) {
        guard let file = files[PackageFiles.manifestName] else { throw .package(.noManifest(place: place)) }
        func refuse(_ reason: String) -> HostError { .package(.badManifest(place: place, reason: reason)) }
        let batch: JSONBatch
        do throws(JSONError) { batch = try JSONBatch.document(file.bytes) } catch {
            throw refuse("it is not JSON: \(error)")
        }
        // Other readers of the manifest would take the other one.
        if batch.hasTwins() { throw refuse("it says something twice, and only one of that can be so") }
        let value = batch[0].value()
        guard let given = value.members else { throw refuse("it is not an object") }
        for member in given where !Self.members.contains(member.name) {
            throw refuse("'\(member.name)' is no member; " + Nearest.advice(for: member.name, among: Self.members))
        }
        guard let name = value["name"].text, Self.isName(name) else {
            if let name = value["name"].text, Self.reserved.contains(name) {
                throw refuse("'name' is '\(name)', which is a folder with a meaning of its own")
            }
            throw refuse("'name' is 1 to 40 of a-z, 0-9, _ and -, and begins with a letter")
        }
        guard let version = value["version"].text.flatMap({ PackageVersion($0) }) else {
            throw refuse(
                "'version' is a text such as \"1.0.0\" or \"1.1.0-beta.1\", of at most \(PackageVersion.longest) bytes")
        }
        guard let api = value["api"].integer, api >= 1 else { throw refuse("'api' is the version of the Lua API: 1") }
        if api > luaAPIVersion {
            throw refuse("its plugins need version \(api) of the Lua API, and this ythost has \(luaAPIVersion)")
        }
        guard let licence = value["licence"].text, Self.isLine(licence) else {
            throw refuse("'licence' is an identifier of spdx.org/licenses such as \"MIT\"")
        }
        guard let list = value["plugins"].list, !list.isEmpty else {
            throw refuse("'plugins' is a list of their files")
        }
        var plugins: [String] = []
        for item in list {
            guard let path = item.text, path.hasSuffix(".lua"), files[path] != nil else {
                throw refuse("'plugins' names '\(item.text ?? "?")', which is no Lua file of the package")
            }
            let plugin = Self.plugin(path, of: name)
            guard PluginLocator.isModuleName(plugin), !plugin.contains(".") else {
                throw refuse("'\(plugin)' is no name of a plugin: letters, digits, _ and -")
            }
            if plugins.contains(where: { Self.plugin($0, of: name) == plugin }) {
                throw refuse("two plugins bear the name '\(plugin)'")
            }
            plugins.append(path)
        }
        if let summary = value["summary"].text, !Self.isLine(summary) { throw refuse("'summary' is a line of text") }
        self.name = name
        self.version = version
        self.api = api
        self.licence = licence
        self.plugins = plugins.sorted()
        summary = value["summary"].text
    }

    /// A plugin's name, from its path: the name of the file or its folder. For `plugin.lua` at the top it is the
    /// package's name.
    static func plugin(_ path: String, of package: String) -> String {
        if path == "plugin.lua" { return package }
        let path = path.hasSuffix("/plugin.lua") ? String(path.dropLast("/plugin.lua".count)) : String(path.dropLast(4))
        return FileSystem.base(of: path)
    }

    /// Reserved names, which are folders with a special meaning.
    private static let reserved = ["lib", "plugins", "yt"]

    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x61...0x7A).contains(first), name.utf8.count <= 40 else { return false }
        return !reserved.contains(name)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
