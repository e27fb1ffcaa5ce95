// Links on a terminal (OSC 8, https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). What is easily got
// wrong: a link may lead elsewhere than its text says, so a plugin's own bytes never make one. The host's links bear a
// mark that no plugin can know; the filter before the terminal looks for it and takes it out.

import Basics

package enum TerminalLink {
    /// A new mark: 128 random bits.
    package static func newMark() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }

    /// The sequence after which text is a link; with an empty address, the one that ends it.
    package static func opening(_ url: String, mark: String) -> [UInt8] {
        Array("\u{1B}]8;\(mark.isEmpty ? "" : "id=" + mark);\(url)\u{1B}\\".utf8)
    }

    /// The address in the string of an operating system command, from its `]` on, without what ends it; nil when it is no
    /// link that bears the mark, or one that leads to no web page.
    static func address(_ string: [UInt8], mark: String) -> String? {
        let prefix = Array("]8;id=\(mark);".utf8)
        guard !mark.isEmpty, string.starts(with: prefix) else { return nil }
        let url = String(decoding: string[prefix.count...], as: UTF8.self)
        return url.isEmpty || Escape.webAddress(url) == url ? url : nil
    }
}
