// The small cases that are kept beside the package, where they are at hand: inputs and right answers that come from
// public bug reports about other programs. `nil` means unknown; `error` a refusal, never a wrong value.

import FoundationEssentials
import TestSupport
import Testing

@testable import Basics
@testable import VideoModel

@Suite(.enabled(if: Cases.areAtHand, "the cases in ../shared/cases are not here"))
struct CaseTests {
    @Test("every duration of the cases is read as it should be")
    func durations() throws {
        let rows = try Cases.rows("durations.tsv")
        #expect(rows.count > 10)
        for row in rows {
            let text = row["iso8601"] ?? ""
            #expect(VideoDuration.parse(text) == row["seconds"].flatMap { Int64($0) }, "\(text)")
        }
    }

    @Test("every timestamp of the cases is read as it should be")
    func timestamps() throws {
        let rows = try Cases.rows("timestamps.tsv")
        #expect(rows.count > 10)
        for row in rows {
            let text = row["text"] ?? ""
            #expect(Timestamp.parse(text) == row["epoch_seconds"].flatMap { Int64($0) }, "\(text)")
        }
    }

    @Test("every text of the cases is as wide as it should be")
    func widths() throws {
        let rows = try Cases.rows("widths.tsv")
        #expect(rows.count > 10)
        for row in rows {
            let text = row["text"] ?? ""
            #expect(Text.width(text) == row["display_columns"].flatMap { Int($0) }, "\(text)")
        }
    }

    @Test("every address of the cases is what it should be")
    func addresses() throws {
        let rows = try Cases.rows("urls.tsv")
        #expect(rows.count > 40)
        for row in rows {
            let url = row["url"] ?? ""
            let media = try? MediaRef.parse(url)
            guard row["provider"] != "error" else {
                #expect(media == nil, "\(url)")
                continue
            }
            #expect(media?.provider == row["provider"] && media?.kind.rawValue == row["kind"], "\(url)")
            #expect(media?.id == row["id"], "\(url)")
            #expect(media?.start == row["start"].flatMap { Int64($0) }, "\(url)")
            #expect(media?.list == row["list"].flatMap { $0.isEmpty ? nil : $0 }, "\(url)")
            let note = (row["note"] ?? "").split(separator: " ").map(String.init)
            if note.first == "finish" { #expect(media?.finish == Int64(note[1]), "\(url)") }
            if note.first == "hash" { #expect(media?.hash == note[1], "\(url)") }
        }
    }

    /// The rows about text that a function of this module answers; others are about readers and formats.
    private static let answers: [String: @Sendable (String) -> String] = [
        "record title to HTML text": { Escape.html($0) },
        "record title to RSS title": { Escape.xml($0).replacing("&#39;", with: "'") },
        "record url to RSS link": { Escape.xml($0) },
        "record title in HTML gallery": { Escape.html($0) },
        "record title in CSV": { Escape.csv([$0]) },
        "record title in spreadsheet-safe CSV": { Escape.csv([Escape.spreadsheet($0)]) },
        "truncate to 10 columns": { Text.pad(Text.truncate($0, to: 10), to: 10) },
        "views 3170000 in a 4-column cell": { Text.compactCount(Int64($0) ?? 0) },
        "duration 3900 in a table": { VideoDuration.format(Int64($0) ?? 0) },
        "date in RSS, any TZ and locale": { Timestamp.format(Timestamp.parse($0) ?? 0, as: .rfc822, in: nil) },
    ]

    @Test("every text of the cases is escaped, cut and written as it should be")
    func texts() throws {
        var answered = 0
        for row in try Cases.rows("text.tsv") {
            guard let answer = Self.answers[row["where"] ?? ""], let input = row["input"] else { continue }
            answered += 1
            var right = row["right"] ?? ""
            if right.hasSuffix(" and one space") { right = right.dropLast(" and one space".count) + " " }
            #expect(answer(input) == right, "\(row["where"] ?? "")")
        }
        #expect(answered >= Self.answers.count)
    }

    @Test("no cell of the cases brings a control character to a terminal")
    func cells() throws {
        for row in try Cases.rows("text.tsv") where row["where"] == "record title in a table cell" {
            let shown = Text.clean(row["input"] ?? "")
            #expect(
                !shown.unicodeScalars.contains {
                    $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
                })
        }
    }

    @Test("the day of a moment depends on the zone that was asked for")
    func zones() throws {
        for row in try Cases.rows("text.tsv") {
            guard let moment = row["where"]?.split(separator: "day of ").first,
                row["where"]?.hasPrefix("day of ") == true,
                let time = Timestamp.parse(String(moment)), let zone = row["input"]?.split(separator: " ").last
            else { continue }
            let rules =
                zone == "default"
                ? nil
                : try ZoneRules(
                    tzif: [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)"))))
            #expect(Timestamp.format(time, as: .date, in: rules) == row["right"])
        }
    }
}
