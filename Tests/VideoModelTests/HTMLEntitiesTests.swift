// Claims about decoding character references; the right sides are what Python's `html.unescape` gives.

import Basics
import Testing

@Suite("HTMLEntities")
struct HTMLEntitiesTests {
    @Test(
        "references decode exactly once",
        arguments: [
            ("Rubik&#39;s Cube &amp; You", "Rubik's Cube & You"), ("&amp;lt;b&amp;gt; in HTML", "&lt;b&gt; in HTML"),
            ("&amp;amp;", "&amp;"), ("&#38;lt;", "&lt;"), ("no reference – 日", "no reference – 日"),
            ("&lt;日本&gt; &quot;é&quot;", "<日本> \"é\""),
        ])
    func once(text: String, right: String) {
        #expect(HTMLEntities.unescape(text) == right)
    }

    @Test(
        "names are matched exactly, the longest first, old ones without a semicolon too",
        arguments: [
            ("&Aacute;&aacute;", "Áá"), ("&AMP;&Amp;", "&&Amp;"), ("&notin;", "∉"), ("&notit;", "¬it;"), ("&not", "¬"),
            ("&ampx", "&x"), ("&copy2024", "©2024"), ("&hellip", "&hellip"), ("&hellip;", "…"),
            ("&acE;", "\u{223E}\u{333}"),
            ("&fjlig;", "fj"), ("&CounterClockwiseContourIntegral;", "∳"), ("&zwnj;", "\u{200C}"),
            ("&Tab;&NewLine;", "\t\n"),
            ("&thetasym;&thorn", "ϑþ"), ("&AElig;&zwj;", "Æ\u{200D}"), ("?a=1&b=2&lang=en", "?a=1&b=2&lang=en"),
        ])
    func names(text: String, right: String) {
        #expect(Array(HTMLEntities.unescape(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test(
        "numbers follow the standard's exceptions",
        arguments: [
            ("&#65;&#x42;&#X43;&#68", "ABCD"), ("&#x1F44D;", "👍"), ("&#150;&#x80;&#x81;", "–€\u{81}"),
            ("&#0;", "\u{FFFD}"),
            ("&#xD800;&#xDFFF;", "\u{FFFD}\u{FFFD}"), ("&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}"),
            ("a&#1;b&#x7F;c&#xFFFE;d&#xFDD0;e&#11;f", "abcdef"), ("&#9;&#10;&#12;&#13;", "\t\n\u{0C}\r"),
            ("&#00065;z", "Az"),
        ])
    func numbers(text: String, right: String) {
        #expect(Array(HTMLEntities.unescape(text).unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test(
        "what is not a reference stays as it is",
        arguments: [
            "&", "a & b", "&&", "&;", "&#", "&#;", "&#x;", "&#xg;", "&nosuchname;", "&é;", "&a", "tail&", "R&D",
            "&#-1;",
        ])
    func others(text: String) {
        #expect(HTMLEntities.unescape(text) == text)
    }
}
