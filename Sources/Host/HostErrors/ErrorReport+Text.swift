// Formats reports: lines of text safe for a terminal, or one JSON object a line.

import Basics
import JSON
import VideoServices

extension ErrorReport {
    /// Quotes a word for a shell. Characters that a terminal does not show, such as line ends, become escapes.
    package static func quoted(_ word: String) -> String {
        if Text.clean(word) != word { return escaped(word) }
        let isPlain = word.utf8.allSatisfy { byte in
            byte >= 0x80 || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                || "/._-:+@%=,".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// A word in the form `$'…'` of bash and zsh, and of POSIX since 2024. All bytes but printable ASCII are octal.
    private static func escaped(_ word: String) -> String {
        var text = "$'"
        for byte in word.utf8 {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
            case 0x20...0x7E: text += String(UnicodeScalar(byte))
            default: text += "\\" + [byte >> 6, byte >> 3 & 7, byte & 7].map { String($0) }.joined()
            }
        }
        return text + "'"
    }

    /// Makes any text safe for one line of a terminal.
    public static func oneLine(_ text: String) -> String { Text.clean(text) }

    /// The report as text: the message with its position, the source line, the hint, and the plugin's frames.
    public var text: String {
        let place = file.map { file in line.map { "\(file):\($0): " } ?? "\(file): " } ?? ""
        var lines = ["ythost: \(place)\(message)"]
        if let sourceLine, let line { lines.append("  \(line) | \(sourceLine)") }
        if let hint { lines.append("  hint: \(hint)") }
        lines += trace.map { "  at \($0)" }
        return lines.map { String($0.prefix { $0 == " " }) + Self.oneLine($0).drop { $0 == " " } }.joined(
            separator: "\n")
    }

    /// `{"error":{…}}`, without a line end.
    public var json: String {
        let members: [FieldValue.Member] = [
            .init("kind", .text(kind)), .init("message", .text(message)), .init("file", FieldValue(file)),
            .init("line", FieldValue(line.map(Int64.init))), .init("source_line", FieldValue(sourceLine)),
            .init("hint", FieldValue(hint)), .init("trace", trace.isEmpty ? .none : .list(trace.map { .text($0) })),
            .init("exit", .integer(Int64(code.rawValue))), .init("said", said),
        ]
        return Self.encode([.init("error", .record(members.filter { !$0.value.isNone }))])
    }

    /// The service's own error details, as a record; `.none` if there are none.
    private var said: FieldValue {
        guard let words, words.text != nil else { return .none }
        func record(
            _ code: String?, _ users: String?, _ developers: String?, _ more: [FieldValue.Member]
        ) -> FieldValue {
            .record(
                (more.prefix(1)
                    + [
                        .init("code", FieldValue(code)), .init("user_message", FieldValue(users)),
                        .init("developer_message", FieldValue(developers)),
                    ] + more.dropFirst()).filter { !$0.value.isNone })
        }
        return record(
            words.code, words.forUsers, words.forDevelopers,
            [
                .init("status", FieldValue((status ?? words.status).map(Int64.init))),
                .init(
                    "invalid_parameters",
                    words.invalid.isEmpty
                        ? .none
                        : .list(
                            words.invalid.map {
                                record($0.code, $0.forUsers, $0.forDevelopers, [.init("field", FieldValue($0.field))])
                            })),
            ])
    }

    /// A log line as JSON.
    public static func json(level: LogLevel, _ text: String) -> String {
        encode([.init("log", .record([.init("level", .text(level.name)), .init("message", .text(text))]))])
    }

    private static func encode(_ members: [FieldValue.Member]) -> String {
        String(decoding: JSON.encode(.record(members)), as: UTF8.self)
    }
}
