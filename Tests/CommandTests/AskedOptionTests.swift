// What people ask of documents in options, and cannot have: it is refused with what would be right, not left out.

import Foundation
import Testing

@Suite struct AskedOptionTests {
    private static let input =
        "{\"ythost\":1,\"id\":\"a\",\"url\":\"https://example.org/a\",\"title\":\"A\",\"extra\":{\"media\":[{\"url\":\"https://example.org/a.mp3\"}]}}\n"

    @Test(
        "what is no address, language, mail address, category or date is refused",
        arguments: [
            ("rss", "--self", "notaurl", "https://"), ("rss", "--self", "javascript:alert(1)", "https://"),
            ("rss", "--self", "ftp://example.org/", "https://"), ("rss", "--link", "javascript:alert(1)", "https://"),
            ("atom", "--self", "", "https://"), ("atom", "--link", "x", "https://"),
            ("jsonfeed", "--self", "x", "https://"),
            ("jsonfeed", "--link", "//example.org/", "https://"), ("podcast", "--cover", "javascript:x", "https://"),
            ("podcast", "--self", "x", "https://"), ("rss", "--lang", "en_US", "en-US"),
            ("atom", "--lang", "\"><x>", "BCP 47"), ("html", "--lang", "\"><x>", "BCP 47"),
            ("html", "--lang", "", "BCP 47"),
            ("card", "--lang", "en us", "BCP 47"), ("jsonfeed", "--lang", "english", "BCP 47"),
            ("podcast", "--lang", "en-", "BCP 47"), ("podcast", "--mail", "notmail", "@example.org"),
            ("podcast", "--mail", "a b@example.org", "@example.org"),
            ("podcast", "--mail", "<a@example.org>", "@example.org"),
            ("podcast", "--genre", "Nonsense", "Society & Culture"), ("table", "--dates", "%Q", "%d.%m.%Y"),
            ("html", "--dates", "%", "%d.%m.%Y"), ("csv", "--dates", "%d %", "%d.%m.%Y"),
            ("markdown", "--dates", "%é", "%d.%m.%Y"),
        ])
    func refused(format: String, option: String, value: String, hint: String) throws {
        let run = try Command.run(["run", format, "-", option, value], input: Self.input)
        #expect(run.code == 2 && run.output == "")
        #expect(run.errors.hasPrefix("ythost: \(option): ") && run.errors.contains("hint: "), "\(run.errors)")
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test(
        "what is right is written",
        arguments: [
            ("rss", "--self", "HTTPS://example.org/?a=1&b=2", "href=\"HTTPS://example.org/?a=1&amp;b=2\""),
            ("rss", "--lang", "zh-Hant-TW", "<language>zh-Hant-TW</language>"),
            ("html", "--lang", "x-own", "<html lang=\"x-own\">"),
            ("atom", "--lang", "de-CH-1996", "xml:lang=\"de-CH-1996\""),
            ("podcast", "--mail", "a.b+c@mail.example.org", "<itunes:email>a.b+c@mail.example.org</itunes:email>"),
            ("podcast", "--genre", "tv & film", "<itunes:category text=\"TV &amp; Film\"/>"),
            (
                "podcast", "--genre", "Books",
                "text=\"Arts\">\n      <itunes:category text=\"Books\"/>\n    </itunes:category>"
            ),
            ("rss", "--title", "", "<title>Videos</title>"),
            ("rss", "--description", " ", "<description>Videos</description>"),
            ("atom", "--author", "\u{200B}", "<name>ythost</name>"),
        ])
    func written(format: String, option: String, value: String, expected: String) throws {
        let run = try Command.run(["run", format, "-", option, value], input: Self.input)
        #expect(run.code == 0 && run.output.contains(expected), "\(run.output)\(run.errors)")
    }

    @Test("all conversions of dates are taken", arguments: Array("YmdHMSyejaAbhBpPIklZzsCFTDRrcxXuwUWVGgnt%"))
    func conversions(letter: Character) throws {
        let input = "{\"ythost\":1,\"id\":\"a\",\"published\":\"2024-07-01T12:00:00Z\"}\n"
        let run = try Command.run(
            ["run", "csv", "-", "--no-header", "--columns", "published", "--dates", "<%\(letter)>"], input: input)
        #expect(
            run.code == 0 && run.output.contains("<") && (letter == "%" || !run.output.contains("%")), "\(run.errors)")
    }

    @Test("a spreadsheet that separates by semicolons sees no formula either")
    func semicolons() throws {
        let record = "{\"ythost\":1,\"id\":\"a\",\"title\":\"x;=1+1\"}\n"
        let run = try Command.run(
            ["run", "csv", "-", "--no-header", "--columns", "title", "--spreadsheet"], input: record)
        #expect(run.output == "x;'=1+1\r\n")
    }
}
