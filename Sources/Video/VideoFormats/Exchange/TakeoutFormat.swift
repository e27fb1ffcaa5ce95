// The watch history of Google Takeout in JSON (My Activity). `time` is when the video was watched, not when it was
// published, and `title` is a sentence in the account's language. Other activity, such as searches and likes, has the
// same structure.

import Basics
import JSON
import VideoModel

enum TakeoutFormat {
    static let history = RecordFormat(
        name: "takeout", summary: "Google Takeout watch history", mapping: mapping,
        learn: { rows in
            entries(
                TakeoutSentences(
                    rows.compactMap { row in
                        guard let sentence = row.text("title"), let url = row.text("titleUrl"),
                            ref(row)?.kind == .video
                        else { return nil }
                        return (sentence, url)
                    }))
        })

    private static let rules: Mapping = [
        // These are not fields of a record.
        "product": FieldRule("header", as: .text),
        "advertisement": FieldRule(
            "details.0.name", as: .words(["From Google Ads": .bool(true)])),
        "raw": FieldRule(""),
    ]

    private static func entries(_ sentences: TakeoutSentences) -> CompiledMapping {
        CompiledMapping(
            rules, checksShapes: true,
            computed: [
                .provider: { FieldValue(ref($0)?.provider ?? "youtube") },
                .id: { row in
                    guard let ref = ref(row), ref.recordKind != nil else { return .none }
                    return .text(ref.recordID)
                },
                .kind: { FieldValue((ref($0)?.recordKind ?? .page).rawValue) },
                .url: { row in FieldValue(ref(row)?.url ?? row.address("titleUrl")) },
                .title: { title($0, sentences) }, .channel: channel,
            ],
            extra: { row in
                let time = Converter.time.value(of: row.read("time"))
                return time.isNone ? [] : [.init(isWatched(row, sentences) ? "watched" : "done", time)]
            })
    }

    private static let unlearned = entries(TakeoutSentences())

    /// Whether an entry is about a video that was watched. Removed videos have no URL.
    private static func isWatched(_ row: JSONRow, _ sentences: TakeoutSentences) -> Bool {
        guard let sentence = row.text("title") else { return false }
        guard row.text("titleUrl") != nil else { return sentences.title(in: sentence) != nil }
        return ref(row)?.kind == .video && sentences.isAboutWatching(sentence)
    }

    /// `{header, title, titleUrl, subtitles, time, products, activityControls}`. Deleted videos have no URL.
    private static func mapping(_ row: JSONRow) -> CompiledMapping? {
        guard row.kind(at: "title") == .text, row.kind(at: "time") == .text,
            row.kind(at: "titleUrl") == .text || row.kind(at: "header") == .text,
            row.kind(at: "products") == .array || row.kind(at: "activityControls") == .array
        else { return nil }
        return unlearned
    }

    private static func ref(_ row: JSONRow) -> MediaRef? { row.mediaRef("titleUrl") }

    /// The title in the sentence. A URL is not a title. Sentences of an unknown form are left unchanged.
    private static func title(_ row: JSONRow, _ sentences: TakeoutSentences) -> FieldValue {
        guard let sentence = row.text("title") else { return .none }
        let title = sentences.title(in: sentence) ?? sentence
        let isAddress = title == row.text("titleUrl") || Converter.url.value(of: .text(title)).text != nil
        return isAddress ? .none : .text(title)
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
