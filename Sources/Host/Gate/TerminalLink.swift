// Terminal links (OSC 8, https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). A link can lead elsewhere
// than its text says, so the bytes of a plugin never create one: the host's links carry a secret mark, and the terminal
// filter passes only those, without the mark.

import Basics

package enum TerminalLink {
    /// A new mark: 128 random bits.
    package static func newMark() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }

    /// The sequence that starts a link, or ends one when `url` is empty.
    package static func opening(_ url: String, mark: String) -> [UInt8] {
        Array("\u{1B}]8;\(mark.isEmpty ? "" : "id=" + mark);\(url)\u{1B}\\".utf8)
    }

    /// The URL in the string of an operating system command, from its `]` up to its terminator. nil when it is not a
    /// link, lacks the mark, or does not lead to a web page.
    static func address(_ string: [UInt8], mark: String) -> String? {
        let prefix = Array("]8;id=\(mark);".utf8)
        guard !mark.isEmpty, string.starts(with: prefix) else { return nil }
        let url = String(decoding: string[prefix.count...], as: UTF8.self)
        return url.isEmpty || Escape.webAddress(url) == url ? url : nil
    }
}
