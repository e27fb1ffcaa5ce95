// Instant answers of DuckDuckGo (https://api.duckduckgo.com/?format=json). One answer gives several records: the
// article, the official pages, and the related topics, with groups flattened. `Text` joins a topic's name and
// description; only the link in `Result` shows where the name ends.

import Basics
import JSON
import VideoModel

enum DuckDuckGoFormat {
    static let format = RecordFormat(
        name: "duckduckgo", summary: "DuckDuckGo instant answers", isDocument: isAnswer, parts: parts,
        mapping: { isTopic($0) ? topics : nil })

    private static let site = "https://duckduckgo.com"

    private static let common: Mapping = [
        "provider": FieldRule(constant: .text("duckduckgo")),
        "kind": FieldRule(constant: .text("page")),
        "raw": FieldRule(""),
    ]

    private static let articles = CompiledMapping(
        Mapping(
            common.rules
                + ([
                    "url": FieldRule("AbstractURL", "DefinitionURL", "Redirect", "OfficialWebsite", as: .url),
                    "title": FieldRule("Heading", as: .text),
                    "description": FieldRule("AbstractText", "Abstract", as: .text),
                    "channel": FieldRule(
                        nested: ["title": FieldRule("AbstractSource", "DefinitionSource", as: .text)]),
                ] as Mapping).rules), checksShapes: true,
        computed: [
            .description: { row in FieldValue(said(row)) },
            .thumbnails: { row in
                Pictures.one(
                    row.address("Image", base: site), width: row.integer("ImageWidth"),
                    height: row.integer("ImageHeight"))
            },
        ])

    private static let topics = CompiledMapping(
        Mapping(common.rules + (["url": FieldRule("FirstURL", as: .url)] as Mapping).rules), checksShapes: true,
        computed: [
            .title: { FieldValue(parted($0).title) },
            .description: { FieldValue(parted($0).description) },
            .thumbnails: { row in
                Pictures.one(
                    row.address("Icon.URL", base: site), width: row.integer("Icon.Width"),
                    height: row.integer("Icon.Height"))
            },
        ])

    /// The text of the answer itself. Widgets return an object, usually without readable text.
    private static func said(_ answer: JSONRow) -> String? {
        let paths: [JSONPath] = ["AbstractText", "Abstract", "Answer", "Answer.result", "Definition"]
        return paths.lazy.compactMap { Converter.text.value(of: answer.read($0)).text }.map { PlainText.of(html: $0) }
            .first { !$0.isEmpty }
    }

    private static func isAnswer(_ row: JSONRow) -> Bool {
        row.kind(at: "RelatedTopics") == .array && row.kind(at: "Heading") == .text
            && row.kind(at: "AbstractText") == .text
    }

    private static func isTopic(_ row: JSONRow) -> Bool {
        row.kind(at: "FirstURL") == .text && row.kind(at: "Text") == .text
    }

    private static func parts(_ answer: JSONRow) -> [RecordFormat.Part] {
        var parts: [RecordFormat.Part] = []
        // A disambiguation page has no content of its own.
        if said(answer) != nil || answer.address("Redirect") != nil {
            parts.append(.init(answer, articles))
        }
        for path in ["Results", "RelatedTopics"] as [JSONPath] {
            parts += answer.row(at: path)?.elements.flatMap { flattened($0) } ?? []
        }
        return parts
    }

    /// A topic, or the topics of a group: `{Name, Topics}`.
    private static func flattened(_ element: JSONRow) -> [RecordFormat.Part] {
        guard element.kind(at: "Topics") == .array else { return [.init(element)] }
        return element.row(at: "Topics")?.elements.map { .init($0) } ?? []
    }

    /// The name and the description of a topic.
    private static func parted(_ topic: JSONRow) -> (title: String?, description: String?) {
        guard let text = topic.text("Text") else { return (nil, nil) }
        guard let html = topic.text("Result"), let open = html.firstIndex(of: ">"),
            let close = html[open...].range(of: "</a>")
        else { return (text, nil) }
        let name = PlainText.of(html: String(html[html.index(after: open)..<close.lowerBound]))
        guard !name.isEmpty else { return (text, nil) }
        let rest = PlainText.of(html: String(html[close.upperBound...]))
        return (name, rest.isEmpty ? nil : rest)
    }
}

extension Substring {
    /// The range of a text, compared by bytes.
    fileprivate func range(of text: StaticString) -> Range<Index>? {
        let wanted = Array(text.description.utf8)
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
            start = utf8.index(after: start)
        }
        return nil
    }
}
