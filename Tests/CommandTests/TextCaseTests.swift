// The cases about text, each through the command as a user would meet it: a title that came from a service's reply, a
// record that a format writes, a feed that is read back.

import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(if: Cases.areAtHand, "the cases in ../shared/cases are not here"),
    .enabled(if: Judge.judgesWithPython, "no python3"))
struct TextCaseTests {
    private static func write(_ format: [String], _ record: Record) throws -> String {
        let run = try Command.run(["run"] + format, input: try Record.lines([record]))
        try #require(run.code == 0, "\(run.errors)")
        return run.output
    }

    /// A record whose title this is, and that has what a row may ask for besides.
    private static func titled(_ title: String) -> Record {
        Record(provider: "youtube", id: "abcdefghijk", url: "https://example.org/", title: title, duration: 295)
    }

    /// The item of a feed of a record, as a parser of XML reads it.
    private static func throughRSS(_ record: Record) throws -> Judge.Feed.Item {
        try #require(try Judge.feed(Data(try write(["rss", "-"], record).utf8)).items.first)
    }

    private static func title(of reply: String) throws -> String {
        try Record.read(try Command.run(["parse", "-"], input: reply)).first?.title ?? ""
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private typealias Check = @Sendable (_ input: String, _ right: String) throws -> Bool

    /// How each kind of row is met.
    private static let checks: [String: Check] = [
        "search title to record": { input, right in
            try title(
                of: #"{"kind":"youtube#searchListResponse","items":[{"kind":"youtube#searchResult","#
                    + #""id":{"kind":"youtube#video","videoId":"abcdefghijk"},"snippet":{"title":\#(try quoted(input))}}]}"#
            )
                == right
        },
        "videos.list title to record": { input, right in
            try title(
                of: #"{"kind":"youtube#videoListResponse","items":[{"kind":"youtube#video","id":"abcdefghijk","#
                    + #""snippet":{"title":\#(try quoted(input))}}]}"#) == right
        },
        "record title to HTML text": { try write(["html", "-"], titled($0)).contains(">\($1)</a>") },
        "record title in HTML gallery": { try write(["html", "-"], titled($0)).contains(">\($1)</a>") },
        "record title to RSS title": { try write(["rss", "-"], titled($0)).contains("<title>\($1)</title>") },
        "record url to RSS link": { input, right in
            try write(["rss", "-"], Record(id: "a", url: input, title: "t")).contains("<link>\(right)</link>")
        },
        "record description through RSS and back": { input, right in
            var record = titled("t")
            record.description = input
            return try FeedRuleTests.text(ofHTML: throughRSS(record).description) == right
        },
        "record title through RSS and back": { try throughRSS(titled($0)).title == $1 },
        "record title in a table cell": { input, right in
            let table = try write(["table", "-", "--columns", "title", "--no-header"], titled(input))
            return table.unsafeForTerminal.isEmpty && !table.dropLast().contains("\n")
                && (right != "one line" || table == "line one line two\n")
        },
        "record title in JSON": { try write(["jsonl", "-"], titled($0)).contains(#""title":"\#($1)""#) },
        "record title in CSV": {
            try write(["csv", "-", "--columns", "title", "--no-header"], titled($0)) == $1 + "\r\n"
        },
        "record title in spreadsheet-safe CSV": {
            try write(["csv", "-", "--columns", "title", "--no-header", "--spreadsheet"], titled($0)) == $1 + "\r\n"
        },
        "record id in spreadsheet-safe CSV": {
            try write(["csv", "-", "--columns", "id", "--no-header", "--spreadsheet"], Record(id: $0)) == $1 + "\r\n"
        },
        "record title in M3U": { try write(["m3u", "-"], titled($0)).contains($1 + "\nhttps://example.org/\n") },
        "truncate to 10 columns": {
            try write(["table", "-", "--columns", "title,id", "--no-header", "--width", "23"], titled($0))
                == $1.replacing(" and one space", with: " ") + "  abcdefghijk\n"
        },
        "views 3170000 in a 4-column cell": {
            try cell(["views", "--numbers", "compact"], Record(id: "a", views: Int($0))) == $1
        },
        "duration 3900 in a table": { try cell(["duration"], Record(id: "a", duration: Int($0))) == $1 },
        "duration unknown in a table": { _, right in try cell(["duration"], Record(id: "a")) == right },
        "live now in a table": { input, right in
            let run = try Command.run(
                ["run", "table", "-", "--columns", "duration", "--no-header"],
                input: #"{"ythost":1,"id":"a","live_state":"\#(input)"}"# + "\n")
            return run.output == right + "\n"
        },
        "date in RSS, any TZ and locale": { input, right in
            let records = try Record.lines([Record(id: "a", title: "t", published: input)])
            return try [["TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8"], ["TZ": "America/Lima", "LC_ALL": "C"]]
                .allSatisfy { environment in
                    try Command.run(["run", "rss", "-"], input: records, environment: environment).output
                        .contains("<pubDate>\(right)</pubDate>")
                }
        },
    ]

    /// A table of one cell.
    private static func cell(_ columns: [String], _ record: Record) throws -> Substring {
        try write(["table", "-", "--no-header", "--columns"] + columns, record).dropLast()
    }

    @Test("every text of the cases comes out of the command as it should")
    func texts() throws {
        for row in try Cases.rows("text.tsv") {
            let (place, input, right) = (row["where"] ?? "", row["input"] ?? "", row["right"] ?? "")
            if place.hasPrefix("day of ") {
                let zone = input.split(separator: " ").last.map(String.init) ?? ""
                let record = Record(id: "a", published: String(place.dropFirst("day of ".count)))
                let flags = zone == "default" ? [] : ["--tz", zone]
                let table = try Self.write(["table", "-", "--columns", "published", "--no-header"] + flags, record)
                #expect(table == right + "\n")
                continue
            }
            let check = try #require(Self.checks[place], "nothing here meets '\(place)'")
            #expect(try check(input, right), "\(place): \(input.debugDescription)")
        }
    }
}
