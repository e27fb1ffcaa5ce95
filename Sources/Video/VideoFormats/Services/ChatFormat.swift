// What a chat assistant of the SUSI kind answers: rows of data and actions, which say what a client is to do. Each
// action is a record, `rss` one for each row it lists. What is easily got wrong: actions of a type that nobody has
// heard of are records too, and a list may be shorter than its action says.

import Basics
import JSON
import VideoModel

enum ChatFormat {
    static let format = RecordFormat(
        name: "chat", summary: "chat replies with actions", isDocument: isReply, parts: parts, mapping: { _ in nil })

    /// The action's own type, which is no field of a record.
    private static let type = FieldRule("type", as: .text)

    /// All that came with an action, so that it outlives a pipe: `raw` does not.
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

    /// `identifier` is an id or an address, as `identifier_type` says.
    private static let players = CompiledMapping(
        ["title": FieldRule("title", as: .text), "action": type, "reply": whole, "raw": FieldRule("")],
        checksShapes: true,
        computed: [
            .provider: { row in
                if let ref = played(row) { return .text(ref.provider) }
                return FieldValue(row.text("identifier_type").flatMap { $0 == "url" ? nil : $0 } ?? "chat")
            },
            .id: { row in
                if let ref = played(row) { return .text(ref.id) }
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

    /// Clients look at the first answer only.
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

    /// Types that say all themselves; the reply's rows may belong to any other, known or not.
    private static let rowless: Set<String> = [
        "answer", "websearch", "anchor", "map", "audio_volume", "image_show", "timer_set", "timer_reset", "stop",
        "pause",
        "resume", "restart", "previous", "next", "shuffle",
    ]
    /// Actions of a reply that get the rows, and rows that each gets: a small reply must not become a large one.
    private static let mostWithRows = 8
    private static let mostRows = 1000

    /// How many rows an action wants; `count`, which may be written as text, is -1 for all.
    private static func wanted(_ action: JSONRow, _ rows: [JSONRow], most: Int = .max) -> Int {
        let count = Converter.integer.value(of: action.read("count")).integer ?? -1
        return min(rows.count, most, count < 0 ? .max : Int(count))
    }

    /// `title`, `description` and `link` name the members of a data row that have them.
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
    /// The path of one member, whatever its name holds.
    fileprivate init(name: String) {
        var escaped = ""
        for scalar in name.unicodeScalars {
            if scalar == "." || scalar == "\\" { escaped.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        self.init(escaped)
    }
}
