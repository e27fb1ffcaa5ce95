// The watch history of Google Takeout in JSON (My Activity). `time` is when the video was watched, not when it was
// published, and `title` is a sentence in the account's language.

import Basics
import JSON
import VideoModel

enum TakeoutFormat {
    static let history = RecordFormat(
        name: "takeout", summary: "Google Takeout watch history", mapping: mapping)

    private static let rules: Mapping = [
        // These are not fields of a record.
        "watched": FieldRule("time", as: .time),
        "product": FieldRule("header", as: .text),
        "advertisement": FieldRule(
            "details.0.name", as: .words(["From Google Ads": .bool(true)])),
        "raw": FieldRule(""),
    ]

    private static let entries = CompiledMapping(
        rules, checksShapes: true,
        computed: [
            .provider: { FieldValue(ref($0)?.provider ?? "youtube") },
            .id: { row in
                guard let ref = ref(row), ref.recordKind != nil else { return .none }
                return .text(ref.id)
            },
            .kind: { FieldValue((ref($0)?.recordKind ?? .page).rawValue) },
            .url: { row in FieldValue(ref(row)?.url ?? row.address("titleUrl")) },
            .title: title, .channel: channel,
        ])

    /// `{header, title, titleUrl, subtitles, time, products, activityControls}`. Deleted videos have no URL.
    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        guard row.kind(at: "title") == .text, row.kind(at: "time") == .text,
            row.kind(at: "titleUrl") == .text || row.kind(at: "header") == .text,
            row.kind(at: "products") == .array || row.kind(at: "activityControls") == .array
        else { return nil }
        return entries
    }

    private static func ref(_ row: JSONRow) -> MediaRef? { row.mediaRef("titleUrl") }

    /// The title from the sentence "Watched …". Unknown if the sentence contains only the URL. Sentences in other
    /// languages are left unchanged.
    private static func title(_ row: JSONRow) -> FieldValue {
        guard let sentence = row.text("title") else { return .none }
        let title = sentence.hasPrefix("Watched ") ? String(sentence.dropFirst("Watched ".count)) : sentence
        return title == row.text("titleUrl") ? .none : .text(title)
    }

    private static func channel(_ row: JSONRow) -> FieldValue {
        let ref = row.mediaRef("subtitles.0.url")
        let members: [FieldValue.Member] = [
            .init("id", FieldValue(ref?.kind == .channel ? ref?.id : nil)),
            .init("title", FieldValue(row.text("subtitles.0.name"))),
            .init("url", FieldValue(row.address("subtitles.0.url"))),
        ]
        let known = members.filter { !$0.value.isNone }
        return known.isEmpty ? .none : .record(known)
    }
}
