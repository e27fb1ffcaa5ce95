// Texts that tell nothing, and texts that are hard to carry: a title of spaces is no title in any format, and a line's end
// comes back from a feed as it was. What is easily got wrong: a text is blank only after it is cleaned.

import Foundation
import Testing

@Suite(.enabled(if: Judge.judgesWithPython, "no python3"))
struct ToldTextTests {
    /// None of these shows anything.
    static let blanks = [
        "   ", "\u{7}", "\u{FFFE}", "\u{1}\u{2}", "\u{A0}", "\u{200B}", "\u{AD}", "\u{3000}", "\u{2060}",
        "\u{85}\u{9F}",
        "\u{1B}[31m", "\u{2800}\u{3164}", "\u{E0041}\u{FE0F}", "\t\n\r", "\u{200E}\u{200F}",
    ]

    private static func json(_ value: String) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// A record whose title, channel, description and tag are that text.
    static func record(_ text: String, id: String = "idnumber001") throws -> String {
        let text = try json(text)
        return """
            {"ythost":1,"provider":"youtube","id":"\(id)","kind":"video","url":"https://www.youtube.com/watch?v=\(id)",\
            "title":\(text),"channel":{"id":"UCsXVk37bltHxD1rDPwtNM8Q","title":\(text),\
            "url":"https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q"},"description":\(text),"tags":["",\(text)],\
            "published":"2024-07-01T12:00:00Z","extra":{"folders":[\(text)],"media":[{"url":"https://example.org/1.mp3"}]}}

            """
    }

    private static let all = try? blanks.enumerated().map { index, text in
        try record(text, id: "idnumber\(100 + index)")
    }.joined()

    private func run(_ arguments: [String], _ input: String) throws -> Program.Run {
        let run = try Command.run(["run"] + arguments, input: input)
        try #require(run.code == 0, "\(run.errors)")
        return run
    }

    /// All texts and attributes of a document that show nothing, though they are there; and how many elements it has.
    private func empty(_ document: Data, _ names: [String]) throws -> [String] {
        let code = """
            import json, sys, unicodedata
            import xml.etree.ElementTree as E
            names = sys.argv[1:]
            def shown(text):
                return any(unicodedata.category(c)[0] not in "ZC" and c not in "\\u2800\\u3164\\ufe0f" for c in text or "")
            bad, seen = [], 0
            for e in E.fromstring(sys.stdin.buffer.read()).iter():
                name = e.tag.split("}")[-1]
                seen += 1
                if name in names and len(e) == 0 and not e.attrib and not shown(e.text): bad.append(name)
                bad += [name + "/" + k for k, v in e.attrib.items() if k in names and not shown(v)]
            assert seen >= 5
            print(json.dumps(bad))
            """
        return try JSONDecoder().decode(
            [String].self, from: Data(try Judge.python(code, document, arguments: names).utf8))
    }

    @Test("no feed has an empty name in it", arguments: ["rss", "atom", "podcast", "opml"])
    func feeds(format: String) throws {
        let run = try run([format, "-", "--title", " \u{200B}"], try #require(Self.all))
        let names = ["title", "name", "creator", "description", "summary", "category", "term", "text", "subtitle"]
        #expect(try empty(run.data, names) == [])
        if format != "opml" { #expect(run.output.contains("<title>idnumber103<") || format == "atom") }
        if format != "opml" {
            #expect(
                try FeedRuleTests.complaints(run.data, format).allSatisfy {
                    $0.hasPrefix("no ") || $0.hasPrefix("itunes:")
                })
        }
    }

    @Test("what shows nothing is not there in a JSON Feed", arguments: blanks)
    func jsonFeed(blank: String) throws {
        struct Feed: Decodable {
            struct Item: Decodable {
                struct Author: Decodable { var name: String? }
                var title: String?
                var text: String
                var tags: [String]?
                var authors: [Author]

                enum CodingKeys: String, CodingKey {
                    case title
                    case text = "content_text"
                    case tags, authors
                }
            }
            var title: String
            var items: [Item]
        }
        let feed = try JSONDecoder().decode(
            Feed.self, from: try run(["jsonfeed", "-", "--title", ""], try Self.record(blank)).data)
        let item = try #require(feed.items.first)
        #expect(feed.title == "Videos" && item.title == nil && item.tags == nil && item.authors[0].name == nil)
        #expect(item.text == "https://www.youtube.com/watch?v=idnumber001")
    }

    @Test("lists fall back to the id, and to no channel", arguments: blanks)
    func lists(blank: String) throws {
        let input = try Self.record(blank)
        #expect(
            try run(["markdown", "-", "--title", ""], input).output
                == "- [idnumber001](https://www.youtube.com/watch?v=idnumber001) · 2024-07-01\n")
        #expect(
            try run(["m3u", "-", "--channels", "--title", blank == "\u{1}\u{2}" ? "" : " "], input).lines == [
                "#EXTM3U", "#PLAYLIST:Videos", "#EXTINF:-1,idnumber001", "https://www.youtube.com/watch?v=idnumber001",
            ])
        let table = try run(["table", "-", "--no-header", "--columns", "title,channel,tags,id"], input)
        #expect(
            table.lines == ["-  UCsXVk37bltHxD1rDPwtNM8Q  \(table.lines[0].split(separator: "  ")[2])  idnumber001"])
        let page = try run(["html", "-", "--thumbnails", "none", "--group", "channel", "--description", " "], input)
            .output
        #expect(page.contains(" rel=\"noopener\">idnumber001</a></h3>"))
        #expect(page.contains(">UCsXVk37bltHxD1rDPwtNM8Q</h2>"))
        #expect(!page.contains("class=\"channel\"") && !page.contains("class=\"about\""))
        let card = try run(["card", "-", "--title", " "], input).output
        #expect(
            card.contains(">https://www.youtube.com/watch?v=idnumber001</a></h2>") && card.contains("<h1>Links</h1>"))
    }

    @Test("line ends and tabs come back from a feed as they were, in texts and in attributes")
    func lineEnds() throws {
        let text = "a\r\nb\rc\nd\te"
        let feed = try Judge.feed(try run(["rss", "-", "--title", "x\ry"], try Self.record(text)).data)
        #expect(feed.title.map { Array($0.utf8) } == Array("x\ry".utf8))
        #expect(feed.items.first?.title.map { Array($0.utf8) } == Array(text.utf8))
        #expect(FeedRuleTests.text(ofHTML: feed.items.first?.description) == "a\nb\nc\nd\te")
        let code = """
            import json, sys
            import xml.etree.ElementTree as E
            atom = "{http://www.w3.org/2005/Atom}"
            entry = E.fromstring(sys.stdin.buffer.read()).find(atom + "entry")
            print(json.dumps([entry.findtext(atom + "title"), entry.find(atom + "category").get("term")]))
            """
        let atom = try run(["atom", "-"], try Self.record(text))
        let read = try JSONDecoder().decode([String].self, from: Data(try Judge.python(code, atom.data).utf8))
        #expect(read.map { Array($0.utf8) } == [Array(text.utf8), Array(text.utf8)])
        // Line ends in texts are not in the way of people who read the source.
        #expect(try run(["rss", "-"], try Self.record("a\nb")).output.contains("<title>a\nb</title>"))
        let script = #"return { format = function(v, out) out:write('<a b="'):xml("1\n2\t3\r4"):line('"/>') end }"#
        let scratch = try Scratch()
        let plugin = try scratch.file("x.lua", script)
        #expect(try Command.run(["run", plugin, "-"], input: "").output == "<a b=\"1&#10;2&#9;3&#13;4\"/>\n")
    }

    @Test(
        "controls of either half and noncharacters stay out of documents",
        arguments: ["rss", "atom", "podcast", "opml", "jsonfeed", "m3u", "markdown", "table", "html", "card"])
    func controls(format: String) throws {
        let plane = try #require(Unicode.Scalar(0x1FFFE as UInt32))
        let inside = try #require(Unicode.Scalar(0xFDD0 as UInt32))
        let input = try Self.record("x\u{80}\u{9F}y\u{FFFE}\u{FFFF}z\(Character(inside))w\(Character(plane))v\u{7F}")
        let title = format == "table" ? [] : ["--title", "t\u{80}\u{FFFE}"]
        let bad = try run([format, "-"] + title, input).output.unicodeScalars.filter {
            (0x7F...0x9F).contains($0.value) || (0xFDD0...0xFDEF).contains($0.value) || $0.value & 0xFFFE == 0xFFFE
        }
        #expect(bad.isEmpty)
    }

    @Test("a width that is none is left out", arguments: ["rss", "atom", "html"])
    func widths(format: String) throws {
        let input = """
            {"ythost":1,"id":"a","url":"https://example.org/a","title":"A","thumbnails":{"x":{"url":"https://example.org/a.jpg","width":-1,"height":0}}}

            """
        let output = try run([format, "-"] + (format == "html" ? ["--thumbnails", "remote"] : []), input).output
        #expect(output.contains("https://example.org/a.jpg") && !output.contains("\"-1\""))
        #expect(!output.contains("height=\"0\""))
    }

    @Test("an identity that comes again after thousands is left out, however long it is")
    func identities() throws {
        let record = { (index: Int) in "{\"ythost\":1,\"id\":\"n\(index)\",\"title\":\"t\"}\n" }
        let once = (0..<12_000).map(record).joined()
        let twice = try run(["rss", "-"], once + once)
        #expect(twice.lines.count { $0.contains("<guid ") } == 12_000 && twice.errors == "")
        let many = try run(["rss", "-"], (0..<17_000).map(record).joined())
        #expect(many.errors.contains("more than 16,000 items") && many.errors.split(separator: "\n").count == 1)
        let tail = String(repeating: "x", count: 4000)
        let long = (0..<3500).map { "{\"ythost\":1,\"id\":\"\($0)\(tail)\",\"title\":\"t\"}\n" }.joined()
        #expect(try run(["rss", "-", "--budget", "memory=17M"], long).lines.count { $0.contains("<guid ") } == 3500)
    }
}
