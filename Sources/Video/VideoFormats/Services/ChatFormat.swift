// Replies of SUSI-like chat assistants: rows of data, and actions for the client. Each action is a record; `rss` gives
// one record per listed row. Actions of unknown types are records too, and there may be fewer rows than an action
// claims.

import Basics
import JSON
import VideoModel

enum ChatFormat {
    static let format = RecordFormat(
        name: "chat", summary: "chat replies with actions", isDocument: isReply, parts: parts, mapping: { _ in nil })

    /// The type of an action. It is not a field of a record.
    private static let type = FieldRule("type", as: .text)

    /// The complete action. Stored as an extra field because `raw` is not written to pipes.
    private static let whole = FieldRule("")

    private static let rules: [Mapping.Rule] = [
        .init("title", FieldRule("expression", "text", "query", "title", as: .text)), .init("action", type),
        .init("url", FieldRule("link", "url", as: .url)), .init("reply", whole), .init("raw", FieldRule("")),
    ]

    private static let actions = shown(Mapping(rules))

    private static func shown(_ mapping: Mapping) -> CompiledMapping {
        CompiledMapping(
            mapping, checksShapes: true, computed: [.provider: provider, .kind: { _ in .text("page") }])
    }

    /// `identifier` is an id or a URL, depending on `identifier_type`.
    private static let players = CompiledMapping(
        ["title": FieldRule("title", as: .text), "action": type, "reply": whole, "raw": FieldRule("")],
        checksShapes: true,
        computed: [
            .provider: { row in
                if let ref = played(row) { return .text(ref.provider) }
                return FieldValue(row.text("identifier_type").flatMap { $0 == "url" ? nil : $0 } ?? "chat")
            },
            .id: { row in
                if let ref = played(row) { return .text(ref.recordID) }
                return row.text("identifier_type") == "url" ? .none : FieldValue(row.text("identifier"))
            },
            .kind: { row in .text((played(row)?.recordKind ?? .video).rawValue) },
            .url: { row in FieldValue(played(row)?.timedURL ?? row.address("identifier")) },
        ])

    private static func provider(_ row: JSONRow) -> FieldValue { .text("chat") }

    private static func played(_ row: JSONRow) -> MediaRef? {
        let type = row.text("identifier_type") ?? "youtube"
        return type == "youtube" || type == "url" ? row.mediaRef("identifier") : nil
    }

    private static func isReply(_ row: JSONRow) -> Bool {
        guard row.kind(at: "answers") == .array else { return false }
        return row.kind(at: "answers.0.actions") == .array
            || row.kind(at: "answers.0") == .nothing && row.kind(at: "query") == .text
    }

    /// Only the first answer is used, as in other clients.
    private static func parts(_ reply: JSONRow) -> [RecordFormat.Part] {
        guard let answer = reply.row(at: "answers.0") else { return [] }
        let rows = answer.kind(at: "data") == .array ? answer.row(at: "data")?.elements ?? [] : []
        var withRows = 0
        return (answer.row(at: "actions")?.elements ?? []).flatMap { action -> [RecordFormat.Part] in
            switch action.text("type") {
            case "video_play", "audio_play": return [.init(action, players)]
            case "rss": return listed(action, rows)
            case .some(let type):
                guard !rows.isEmpty, withRows < mostWithRows, !rowless.contains(type),
                    action.kind(at: "data") != .array
                else { return [.init(action, actions)] }
                withRows += 1
                let data = rows.prefix(wanted(action, rows, most: mostRows)).map { $0.value() }
                let rule = Mapping.Rule("data", FieldRule(constant: .list(data)))
                return [.init(action, shown(Mapping(rules + [rule])))]
            case nil: return [.init(action)]
            }
        }
    }

    /// Action types that do not use the reply's rows. All other types, including unknown ones, may.
    private static let rowless: Set<String> = [
        "answer", "websearch", "anchor", "map", "audio_volume", "image_show", "timer_set", "timer_reset", "stop",
        "pause",
        "resume", "restart", "previous", "next", "shuffle",
    ]
    /// The maximum number of actions that get the rows, and of rows each: a small reply must not become a large one.
    private static let mostWithRows = 8
    private static let mostRows = 1000

    /// The number of rows for an action. `count` may be text; -1 means all.
    private static func wanted(_ action: JSONRow, _ rows: [JSONRow], most: Int = .max) -> Int {
        let count = Converter.integer.value(of: action.read("count")).integer ?? -1
        return min(rows.count, most, count < 0 ? .max : Int(count))
    }

    /// `title`, `description` and `link` are the names of the members in a data row.
    private static func listed(_ action: JSONRow, _ rows: [JSONRow]) -> [RecordFormat.Part] {
        var rules: [Mapping.Rule] = [.init("action", FieldRule(constant: .text("rss"))), .init("raw", FieldRule(""))]
        for (name, field, converter) in [
            ("title", "title", .text), ("description", "description", .text), ("link", "url", .url),
        ] as [(JSONPath, String, Converter)] {
            guard let member = action.text(name) else { continue }
            rules.append(.init(field, FieldRule(JSONPath(name: member), as: converter)))
        }
        let mapping = shown(Mapping(rules))
        return rows.prefix(wanted(action, rows)).map { .init($0, mapping) }
    }
}

extension JSONPath {
    /// The path of a single member with any name.
    fileprivate init(name: String) {
        var escaped = ""
        for scalar in name.unicodeScalars {
            if scalar == "." || scalar == "\\" { escaped.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        self.init(escaped)
    }
}
