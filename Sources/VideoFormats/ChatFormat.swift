// What a chat assistant of the SUSI kind answers: rows of data and actions, which say what a client is to do. Each
// action is a record, `rss` one for each row it lists. What is easily got wrong: actions of a type that nobody has
// heard of are records too, and a list may be shorter than its action says.

import VideoModel

enum ChatFormat {
    static let format = RecordFormat(
        name: "chat", summary: "chat replies with actions", isDocument: isReply, parts: parts, mapping: { _ in nil })

    /// The action's own type, which is no field of a record.
    private static let type = FieldRule("type", as: .text)

    private static let actions = CompiledMapping(
        [
            "title": FieldRule("expression", "text", "query", "title", as: .text),
            "action": type,
            "url": FieldRule("link", "url", as: .url),
            "raw": FieldRule(""),
        ], checksShapes: true, computed: [.provider: provider, .kind: { _ in .text("page") }])

    /// `identifier` is an id or an address, as `identifier_type` says.
    private static let players = CompiledMapping(
        ["title": FieldRule("title", as: .text), "action": type, "raw": FieldRule("")], checksShapes: true,
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
            .url: { row in FieldValue(played(row)?.url ?? row.address("identifier")) },
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
        return (answer.row(at: "actions")?.elements ?? []).flatMap { action -> [RecordFormat.Part] in
            switch action.text("type") {
            case "video_play", "audio_play": return [.init(action, players)]
            case "rss": return listed(action, rows)
            case .some: return [.init(action, actions)]
            case nil: return [.init(action)]
            }
        }
    }

    /// `title`, `description` and `link` name the members of a data row that have them; `count` is -1 for all.
    private static func listed(_ action: JSONRow, _ rows: [JSONRow]) -> [RecordFormat.Part] {
        var rules: [Mapping.Rule] = [.init("action", FieldRule(constant: .text("rss"))), .init("raw", FieldRule(""))]
        for (name, field, converter) in [
            ("title", "title", .text), ("description", "description", .text), ("link", "url", .url),
        ] as [(JSONPath, String, Converter)] {
            guard let member = action.text(name) else { continue }
            rules.append(.init(field, FieldRule(JSONPath(name: member), as: converter)))
        }
        let mapping = CompiledMapping(
            Mapping(rules), checksShapes: true, computed: [.provider: provider, .kind: { _ in .text("page") }])
        let count = action.integer("count") ?? -1
        let wanted = count < 0 ? rows.count : min(rows.count, Int(count))
        return rows.prefix(wanted).map { .init($0, mapping) }
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
