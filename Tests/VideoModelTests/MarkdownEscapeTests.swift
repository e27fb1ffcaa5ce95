// Text for Markdown: escaped where it could begin something, and left alone where it could not.

import Testing

@testable import Basics

@Suite struct MarkdownEscapeTests {
    static let rows: [(text: String, escaped: String)] = [
        ("plain text, as it is. (Really!)", "plain text, as it is. (Really!)"), ("", ""),
        ("*bold* _it_ `code`", #"\*bold\* \_it\_ \`code\`"#), ("[a](b)", #"\[a\](b)"#), ("![a](b)", #"!\[a\](b)"#),
        ("<b>x</b>", #"\<b>x\</b>"#), ("a | b", #"a \| b"#), ("~~no~~ $x$", #"\~\~no\~\~ \$x\$"#), (#"a\b"#, #"a\\b"#),
        ("# heading", ##"\# heading"##), ("C# and F#", "C# and F#"), ("end #", ##"end \#"##),
        ("see #12", ##"see \#12"##),
        ("> quote", #"\> quote"#), ("a > b", "a > b"), ("- item", #"\- item"#), ("+ item", #"\+ item"#),
        ("a - b", "a - b"),
        ("=====", #"\====="#), ("1. item", #"1\. item"#), ("12) item", #"12\) item"#), ("2.5 times", #"2\.5 times"#),
        ("version 1.2", "version 1.2"), ("10:30", #"10\:30"#), ("Part one: the end", "Part one: the end"),
        ("https://x.example", #"https\://x.example"#), ("www.x.example", #"www\.x.example"#),
        ("me@x.example", #"me\@x.example"#),
        ("Tom & Jerry", "Tom & Jerry"), ("&lt; &#60;", ##"\&lt; \&\#60;"##), (":smile:", #"\:smile:"#),
        ("two\nlines\ttab", "two lines tab"), ("  much   space ", "much space"), ("\u{1B}[31mred", "red"),
        ("日本語 *", #"日本語 \*"#), ("over\u{202E}ride", "over\u{FFFD}ride"),
    ]

    @Test("text is escaped where it could begin something", arguments: rows)
    func escape(text: String, escaped: String) { #expect(Escape.markdown(text) == escaped) }

    static let links: [(text: String, url: String?, link: String)] = [
        ("T [1]", "https://x.example/?a=1&b=2", #"[T \[1\]](https://x.example/?a=1&b=2)"#),
        ("T", "https://x.example/(1)", "[T](<https://x.example/(1)>)"),
        ("T", "https://x.example/?a&copy;", "[T](https://x.example/?a&amp;copy;)"),
        ("T", "https://x.example/>\"<", "[T](https://x.example/%3E%22%3C)"),
        ("T", "javascript:alert(1)", "T"), ("T", nil, "T"), ("T", "https://x.example/ space", "T"),
        ("", "https://x.example/", ""),
    ]

    @Test("links lead to web pages, and their addresses end nothing", arguments: links)
    func link(text: String, url: String?, link: String) { #expect(Escape.markdownLink(text, url: url) == link) }
}

@Suite struct NamedUUIDTests {
    @Test("UUIDs of names are those of the standard")
    func known() {
        // RFC 9562, appendix A.4, and the check value of the podcast namespace.
        let dns = NamedUUID.bytes("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
        #expect(dns.map { NamedUUID.make("www.example.com", namespace: $0) } == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        let podcasts = NamedUUID.bytes("EAD4C236-BF58-58C6-A2C6-A6B28D128CB6")
        #expect(
            podcasts.map { NamedUUID.make("podnews.net/rss", namespace: $0) } == "9b024349-ccf0-5f69-a609-6b82873eab3c")
    }

    @Test(
        "SHA-1 gives the digests of FIPS 180",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        ])
    func sha1(text: String, digest: String) {
        let hex = NamedUUID.sha1(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == digest)
    }

    @Test("digests are right at every length around a block")
    func lengths() {
        #expect(NamedUUID.sha1([UInt8](repeating: 0x61, count: 1_000_000)).prefix(4) == [0x34, 0xAA, 0x97, 0x3C])
        #expect(Set((0...130).map { NamedUUID.sha1([UInt8](repeating: 0, count: $0)) }).count == 131)
    }

    @Test(
        "what is no UUID is refused",
        arguments: ["", "6ba7b810", "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "6ba7b8109dad11d180b400c04fd430c8"])
    func refused(text: String) { #expect(NamedUUID.bytes(text) == nil) }
}
