// Claims about the escapers. Results are compared by scalars, since Swift calls differently composed strings equal.

import Basics
import Testing

@Suite("Escape")
struct EscapeTests {
    @Test(
        "XML text has five references and nothing that XML cannot hold",
        arguments: [
            ("plain – é 日 👍 \u{FEFF}", "plain – é 日 👍 \u{FEFF}"), ("Rubik's Cube & You", "Rubik&#39;s Cube &amp; You"),
            ("Joren->blog", "Joren-&gt;blog"), ("<a b=\"c\">", "&lt;a b=&quot;c&quot;&gt;"), ("&amp;", "&amp;amp;"),
            ("break this ]]>, shall we", "break this ]]&gt;, shall we"), ("bad \u{1D} title", "bad  title"),
            ("a\u{FFFE}b\u{FFFF}c", "abc"),
            ("\u{FDCF}\u{FDF0}\u{FFFD}\u{1FFFD}", "\u{FDCF}\u{FDF0}\u{FFFD}\u{1FFFD}"),
            ("a\tb\nc\rd\0e\u{1B}f", "a&#9;b&#10;c&#13;def"), ("", ""),
            ("a\u{7F}b\u{80}c\u{85}d\u{9F}e\u{A0}f", "abc&#10;de\u{A0}f"),
        ])
    func xml(text: String, right: String) {
        #expect(Array(Escape.xml(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test(
        "in XML content tabs and LF stay as they are, but a CR would come back as LF",
        arguments: [
            ("a\tb\nc\rd\r\ne", "a\tb\nc&#13;d&#13;\ne"), ("a\u{85}b\u{9B}c", "a\nbc"), ("<é\0>", "&lt;é&gt;"),
        ])
    func xmlContent(text: String, right: String) {
        #expect(Array(Escape.xmlContent(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test(
        "a noncharacter is removed from XML and HTML",
        arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1_FFFE, 0xF_FFFF, 0x10_FFFF] as [UInt32])
    func noncharacters(value: UInt32) throws {
        let text = "a\(Character(try #require(Unicode.Scalar(value))))b"
        #expect(Escape.xml(text) == "ab")
        #expect(Escape.html(text) == "ab")
    }

    @Test(
        "HTML text has five references, and a space for each control",
        arguments: [
            ("Rubik's Cube & You", "Rubik&#39;s Cube &amp; You"),
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"), ("\"", "&quot;"),
            ("a\0b\u{1D}c\u{7F}d\u{85}e\u{9F}f\u{A0}g", "a b c d e f\u{A0}g"), ("a\tb\nc\rd", "a\tb\nc\rd"),
            ("a\u{FFFF}b", "ab"), ("é 日 👍", "é 日 👍"),
        ])
    func html(text: String, right: String) {
        #expect(Array(Escape.html(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test(
        "a CSV field is quoted only when it must be",
        arguments: [
            (["a", "b c", ""], "a,b c,"), (["say \"hi\", ok"], "\"say \"\"hi\"\", ok\""),
            (["a\r\nb", "c"], "\"a\r\nb\",c"),
            ([" a", "b ", "c"], "\" a\",\"b \",c"), (["é,日"], "\"é,日\""), (["\""], "\"\"\"\""), ([""], "\"\""),
            ([], ""),
            (["", ""], ","),
        ] as [([String], String)])
    func csv(fields: [String], right: String) {
        #expect(Escape.csv(fields) == right)
    }

    @Test(
        "a spreadsheet never takes free text for a formula",
        arguments: [
            ("=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"), ("+cmd", "'+cmd"), ("-2+3", "'-2+3"),
            ("-", "'-"),
            ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("\r\n=1", "'\r\n'=1"), ("＝1", "'＝1"),
            ("x;=1+1", "x;'=1+1"), (";=1", ";'=1"), ("x; \"=1", "x;' \"=1"), ("x\t@a", "x\t'@a"),
            ("x\n-1;+1", "x\n'-1;'+1"),
            ("a;b = c; d", "a;b = c; d"), ("x;", "x;"), ("x; ", "x; "), ("\tx", "'\tx"), ("-4;=5", "'-4;'=5"),
            ("-4.5", "-4.5"), ("+49", "+49"), ("-1.2.3", "'-1.2.3"), ("-.5", "'-.5"), ("plain = text", "plain = text"),
            ("", ""), ("\0=1", "'\0=1"), ("\u{1}\u{2}+1", "'\u{1}\u{2}+1"), ("\u{7F}@a", "'\u{7F}@a"),
            ("\u{85}=1", "'\u{85}=1"), ("\u{FEFF}=1", "'\u{FEFF}=1"), ("\u{200B}=1", "'\u{200B}=1"), ("\0x", "\0x"),
            ("\0", "\0"), ("x;\0=1", "x;'\0=1"), ("\0\t=1", "\0\t'=1"), ("a,=1", "a,=1"),
        ])
    func spreadsheet(field: String, right: String) {
        #expect(Escape.spreadsheet(field) == right)
    }

    @Test(
        "another separator is quoted, and a comma may start a formula",
        arguments: [
            (["a,b", "c;d", "e\tf"], ";", "a,b;\"c;d\";e\tf", "a,b"),
            (["a,b", "c;d", "e\tf"], "\t", "a,b\tc;d\t\"e\tf\"", "a,b"),
            (["a,=1"], ";", "a,=1", "a,'=1"), ([""], ";", "\"\"", ""), ([",x"], "\t", ",x", ",x"),
        ] as [([String], String, String, String)])
    func separator(fields: [String], separator: String, right: String, defused: String) throws {
        let separator = try #require(separator.utf8.first)
        #expect(Escape.csv(fields, separator: separator) == right)
        #expect(Escape.spreadsheet(fields[0], separator: separator) == defused)
    }

    @Test("an id in a CSV column stays what it is")
    func csvKeepsIDs() {
        #expect(Escape.csv(["-wNyEUrxzFU", Escape.spreadsheet("=1,2")]) == "-wNyEUrxzFU,\"'=1,2\"")
    }

    @Test(
        "an address part keeps unreserved characters only, and decodes to what it was",
        arguments: [
            ("AZaz09-._~", "AZaz09-._~"), ("a b&c=d/e?f#g+%", "a%20b%26c%3Dd%2Fe%3Ff%23g%2B%25"),
            ("é日", "%C3%A9%E6%97%A5"),
            ("\0'*", "%00%27%2A"), ("", ""),
        ])
    func url(text: String, right: String) {
        #expect(Escape.url(text) == right)
        #expect(Escape.unurl(right) == text)
    }

    @Test(
        "decoding reads each escape once, in either case, and repairs what is not UTF-8",
        arguments: [
            ("a+b", "a+b"), ("%2525", "%25"), ("%c3%a9", "é"), ("%FF%41", "\u{FFFD}A"), ("%E6%97", "\u{FFFD}"),
            ("日%20", "日 "),
            ("%", nil), ("%4", nil), ("%zz", nil), ("a%2", nil), ("%-1", nil),
        ] as [(String, String?)])
    func unurl(text: String, right: String?) {
        #expect(Escape.unurl(text) == right)
    }

    @Test(
        "only a web address may be a link, and nothing in it ends a quotation or turns its direction",
        arguments: [
            ("https://example.org/a?b=c&d=%20#e", "https://example.org/a?b=c&d=%20#e"), ("HTTP://x/", "HTTP://x/"),
            ("http://x/%zz%4", "http://x/%25zz%254"), ("http://x/%41?%", "http://x/%41?%25"),
            ("http://x:80", "http://x:80"),
            ("https://b\u{FC}cher.example/\u{E9}", "https://xn--bcher-kva.example/%C3%A9"),
            ("https://B\u{DC}CHER.example:81", "https://xn--bcher-kva.example:81"),
            ("https://b%C3%BCcher.example", "https://xn--bcher-kva.example"),
            ("https://fa\u{DF}.de/?q", "https://xn--fa-hia.de/?q"),
            ("https://\u{4F8B}\u{3048}\u{3002}jp#x", "https://xn--r8jz45g.jp#x"),
            ("https://\u{2603}.net/", "https://xn--n3h.net/"), ("http://[::1]:80/", "http://[::1]:80/"),
            ("http://me:p%w@h/", "http://me:p%25w@h/"), ("http://a_b.example/", "http://a_b.example/"),
            ("http://x/\"><b>", "http://x/%22%3E%3Cb%3E"), ("https://x/\u{202E}é", "https://x/%E2%80%AE%C3%A9"),
            ("https://[::1]/~a_b|c", "https://[::1]/~a_b%7Cc"), ("javascript:alert(1)", nil), ("data:text/html,x", nil),
            ("http://x:65536/", nil), ("http://a:b:c/", nil), ("http://?x", nil), ("http://#x", nil),
            ("http://:80", nil),
            ("http://user@/", nil), ("http://a%zz/", nil), ("http://a[b/", nil), ("http://[x]/", nil),
            ("http://a\\b/", nil), ("http://a\u{202E}b/", nil), ("http://\u{FFFD}/", nil),
            ("//x/y", nil), ("https:///x", nil), ("https://", nil), ("https://x/a b", nil), ("https://x/\n", nil),
            ("", nil),
            ("https", nil),
        ] as [(String, String?)])
    func links(address: String, link: String?) { #expect(Escape.webAddress(address) == link) }
}
