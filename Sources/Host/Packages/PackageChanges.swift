// Describes an update's changes to code, options and grants, for review before it is installed.

import Basics
import HostErrors

/// A package before or after an update.
struct PackageState {
    var files: PackageFiles
    var entry: PackageLock.Entry
    /// The declarations of its plugins, by path.
    var declared: [String: PluginManifest]
}

enum PackageChanges {
    /// Rows of three columns: the kind of change, the file or plugin, and the change.
    static func rows(_ name: String, from old: PackageState, to new: PackageState) -> [[String]] {
        code(old.files, new.files).map { ["code"] + $0 } + options(name, old, new) + grants(name, old.entry, new.entry)
    }

    private static func code(_ old: PackageFiles, _ new: PackageFiles) -> [[String]] {
        var rows: [[String]] = []
        for path in Set(old.files.map(\.path) + new.files.map(\.path)).sorted() {
            switch (old[path], new[path]) {
            case (let before?, let after?) where before.digest != after.digest:
                let (gone, come) = lines(before.bytes, after.bytes)
                rows.append([path, "\(Self.lines(come)) added, \(gone) removed"])
            case (nil, let after?): rows.append([path, "new, \(Self.lines(count(after.bytes)))"])
            case (_?, nil): rows.append([path, "removed"])
            default: break
            }
        }
        return rows
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }

    private static func count(_ bytes: [UInt8]) -> Int { bytes.split(separator: UInt8(ascii: "\n")).count }

    /// Counts the lines that occur in only one of the texts, ignoring their order.
    private static func lines(_ old: [UInt8], _ new: [UInt8]) -> (gone: Int, come: Int) {
        var counts: [ArraySlice<UInt8>: Int] = [:]
        for line in split(old) { counts[line, default: 0] -= 1 }
        for line in split(new) { counts[line, default: 0] += 1 }
        return counts.values.reduce(into: (0, 0)) { sums, count in
            if count < 0 { sums.0 -= count } else { sums.1 += count }
        }
    }

    private static func options(_ name: String, _ old: PackageState, _ new: PackageState) -> [[String]] {
        var rows: [[String]] = []
        for path in Set(old.declared.keys).union(new.declared.keys).sorted() {
            let plugin = "\(name)/\(PackageManifest.plugin(path, of: name))"
            guard let before = old.declared[path], let after = new.declared[path] else {
                rows.append(["plugin", plugin, old.declared[path] == nil ? "new" : "removed"])
                continue
            }
            for option in after.options {
                guard let same = before.options.first(where: { $0.name == option.name }) else {
                    rows.append(["option", plugin, "--\(option.name) is new"])
                    continue
                }
                for (fact, old) in zip(option.shownFacts, same.shownFacts) where fact.value != old.value {
                    rows.append([
                        "option", plugin,
                        "--\(option.name) has \(fact.name) \(fact.value ?? "none"), was \(old.value ?? "none")",
                    ])
                }
            }
            for option in before.options where !after.options.contains(where: { $0.name == option.name }) {
                rows.append(["option", plugin, "--\(option.name) is gone"])
            }
        }
        return rows
    }

    private static func grants(
        _ name: String, _ old: PackageLock.Entry, _ new: PackageLock.Entry
    ) -> [[String]] {
        var rows: [[String]] = []
        for plugin in new.plugins {
            let before = old.plugins.first { $0.path == plugin.path }?.grants ?? []
            let word = "\(name)/\(PackageManifest.plugin(plugin.path, of: name))"
            for grant in plugin.grants where !before.holds(grant) {
                rows.append(["GRANT", word, "asks for \(Text.visible(grant)), which is new"])
            }
            for grant in before where !plugin.grants.holds(grant) {
                rows.append(["grant", word, "no longer asks for \(Text.visible(grant))"])
            }
        }
        return rows
    }

    /// Grants that plugins request now and did not before. A new plugin's grants are all new.
    static func newGrants(from old: PackageLock.Entry, to new: PackageLock.Entry) -> [String] {
        var found: [String] = []
        for plugin in new.plugins {
            let before = old.plugins.first { $0.path == plugin.path }?.grants ?? []
            found += plugin.grants.filter { !before.holds($0) && !found.holds($0) }
        }
        return found
    }

    /// The removed (`-`) and added (`+`) lines, by file.
    static func lines(from old: PackageFiles, to new: PackageFiles) -> [String] {
        var shown: [String] = []
        for path in Set(old.files.map(\.path) + new.files.map(\.path)).sorted() {
            guard old[path]?.digest != new[path]?.digest else { continue }
            shown.append("--- \(path)")
            let before = split(old[path]?.bytes ?? [])
            let after = split(new[path]?.bytes ?? [])
            let (gone, come) = LineChanges.between(before, after)
            shown += merged(
                gone.map { ($0, "-" + visible(before[$0])) }, come.map { ($0, "+" + visible(after[$0])) })
        }
        return shown
    }

    /// A line in visible form. Control characters are written as `^M` or `<9B>`: a lone CR starts a new line in Lua but
    /// not here, and terminal sequences could hide text.
    private static func visible(_ line: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x09: text.append(scalar)
            case 0..<0x20, 0x7F: text += ["^", Unicode.Scalar(UInt8(scalar.value) ^ 0x40)]
            case 0x80...0x9F, 0x2028, 0x2029:
                text += "<\(String(scalar.value, radix: 16, uppercase: true))>".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// Merges removals and additions in line order, removals first.
    private static func merged(_ gone: [(Int, String)], _ come: [(Int, String)]) -> [String] {
        var shown: [String] = []
        var (left, right) = (gone[...], come[...])
        var (old, new) = (0, 0)
        while !left.isEmpty || !right.isEmpty {
            if let first = left.first, first.0 == old {
                shown.append("\(old + 1) \(first.1)")
                left.removeFirst()
                old += 1
            } else if let first = right.first, first.0 == new {
                shown.append("\(new + 1) \(first.1)")
                right.removeFirst()
                new += 1
            } else {
                old += 1
                new += 1
            }
        }
        return shown
    }
}

extension [String] {
    /// Whether a grant is in the list, compared by bytes.
    func holds(_ grant: String) -> Bool { contains { $0.isSameName(as: grant) } }
}
