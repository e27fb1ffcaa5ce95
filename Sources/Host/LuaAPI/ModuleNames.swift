// Finds the modules that Lua source requires with a literal name, such as `require "yt.page"`.

import Packages

package enum ModuleNames {
    /// Names in source order. A name in a comment is included; a name computed at run time is not. Callers must
    /// therefore treat the list as a hint.
    package static func required(by text: [UInt8]) -> [String] {
        var names: [String] = []
        text.withUnsafeBufferPointer { bytes in
            var index = 0
            while let start = next(in: bytes, from: index) {
                index = start
                if let name = name(in: bytes, from: &index), !names.contains(name) { names.append(name) }
            }
        }
        return names
    }

    private static let word = Array("require".utf8)

    /// The position after the next `require`.
    private static func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + word.count < bytes.count {
            // `q` is rare, so test it first.
            if bytes[index + 2] == word[2], bytes[index..<index + word.count].elementsEqual(word) {
                return index + word.count
            }
            index += 1
        }
        return nil
    }

    /// The quoted name at this position, with or without a parenthesis before it.
    private static func name(in bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> String? {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "(") { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            return nil
        }
        let quote = bytes[index]
        let start = index + 1
        guard let length = bytes[start...].prefix(128).firstIndex(of: quote) else { return nil }
        index = length
        let name = String(decoding: bytes[start..<length], as: UTF8.self)
        return PluginLocator.isModuleName(name) ? name : nil
    }
}
