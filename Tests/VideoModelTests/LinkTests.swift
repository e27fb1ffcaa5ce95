// Links in running text: the address, and not the sentence, bracket, quotation mark or script around it.

import Basics
import Testing
import VideoModel

@Suite("links in text")
struct LinkTests {
    private static let video = "https://youtu.be/dQw4w9WgXcQ"

    @Test(
        "one link, and only it",
        arguments: [
            "V", "V.", "V, he said", "(V)", "(see V)", "(V).", "[V]", "<V>", "\"V\"", "'V'", "V!", "V?", "V?!…", "V;",
            "V:", "**V**", "*V*", "_V_", "~~V~~", "`V`", "[watch](V)", "[watch](V \"title\")", "![x](V)",
            "<a href=\"V\">",
            "<a href='V'>x</a>", "&lt;V&gt;", "&quot;V&quot;", "{V}", "a|V|b", "看V。", "看V，", "（V）", "「V」", "『V』", "V、",
            "看V这个视频", "見てV見て", "Vを見て", "V를 보세요", "ดูVที่นี่", "“V”", "«V»", "‘V’", "V—yes", "V…", "V👍", "👍V",
            "V\u{200B}x", "V\u{202E}x", "V\u{A0}x", "\tV\r\n", "x:V", "—V", "(V)and more", "V)", "V]", "V.)", "((V))",
            "V\u{0}",
            "\u{FEFF}V",
        ])
    func one(template: String) {
        let text = template.replacing("V", with: Self.video)
        let links = Text.links(text)
        #expect(links.map(\.url) == [Self.video], "\(text)")
        for link in links {
            #expect(String(decoding: Array(text.utf8)[link.range], as: UTF8.self) == Self.video)
        }
    }

    @Test(
        "addresses are kept whole",
        arguments: [
            "https://en.wikipedia.org/wiki/Lua_(programming_language)", "https://a.org/x?a[]=1&b=(2)",
            "http://[::1]:8080/x", "https://youtu.be/abcdefghij_", "https://youtu.be/abcdefghij-",
            "https://de.wikipedia.org/wiki/Köln", "https://ja.wikipedia.org/wiki/日本語",
            "https://ja.wikipedia.org/wiki/日本語の文法",
            "https://例え.jp/テスト", "https://a.org/#!/x;y=1,2", "https://a.org/~me/", "https://a.org/a'b",
            "https://a.org/x=",
            "https://a.org/?q=a+b%20c&t=1m4s#t=10", "https://user@a.org/", "http://localhost:9000/w/x", "https://a.org",
            "https://a.org/", "HTTPS://A.ORG/X", "https://a.org/x*y", "https://a.org/a@b", "https://a.org/$x",
            "https://x",
            "https://a.org/x%EF%BC%81", "https://ru.wikipedia.org/wiki/Заглавная_страница", "https://a.org/x?y=&z",
        ])
    func whole(url: String) {
        for text in [url, "see \(url) there", "(\(url))", "\(url), and", "[x](\(url))", "\(url)."] {
            #expect(Text.links(text).map(\.url) == [url], "\(text)")
        }
    }

    @Test(
        "a name without its scheme",
        arguments: [
            ("www.example.org", "https://www.example.org"), ("see www.example.org/a.", "https://www.example.org/a"),
            ("youtu.be/dQw4w9WgXcQ!", "https://youtu.be/dQw4w9WgXcQ"),
            ("看youtu.be/dQw4w9WgXcQ。", "https://youtu.be/dQw4w9WgXcQ"),
            ("m.youtube.com/watch?v=dQw4w9WgXcQ", "https://m.youtube.com/watch?v=dQw4w9WgXcQ"),
            ("(vimeo.com/76979871)", "https://vimeo.com/76979871"), ("YouTube.com/@Name", "https://YouTube.com/@Name"),
        ])
    func bare(text: String, url: String) { #expect(Text.links(text).map(\.url) == [url]) }

    @Test(
        "an international host is not cut, and a dash between letters is part of a path",
        arguments: [
            ("https://ex例え.example/x", "https://ex例え.example/x"), ("https://例え.example", "https://例え.example"),
            ("https://a.例え.example 和", "https://a.例え.example"),
            ("https://paypal.com例え.example/", "https://paypal.com例え.example/"),
            ("https://i❤.example/x", "https://i❤.example/x"), ("https://a1เว็บ.example", "https://a1เว็บ.example"),
            ("https://ex例え-a.b例.example", "https://ex例え-a.b例.example"),
            ("https://example.com这个", "https://example.com"), ("https://example.com这个.", "https://example.com"),
            ("https://example.com这个。然后", "https://example.com"), ("https://example.com❤ x", "https://example.com"),
            ("https://example.com—see b.org", "https://example.com"), ("https://a.org和https://b.org", "https://a.org"),
            ("https://a.org/Foo–Bar_x", "https://a.org/Foo–Bar_x"),
            ("https://a.org/Foo\u{2010}é", "https://a.org/Foo\u{2010}é"),
            ("https://a.org/Foo–", "https://a.org/Foo"), ("https://a.org/Foo – x", "https://a.org/Foo"),
            ("https://a.org/Foo—and", "https://a.org/Foo"), ("https://a.org–b", "https://a.org"),
            ("https://youtu.be/abcdefghij- x", "https://youtu.be/abcdefghij-"),
        ])
    func international(text: String, url: String) { #expect(Text.links(text).first?.url == url) }

    @Test(
        "no link",
        arguments: [
            "", "http://", "https://", "https:///x", "https://.", "https:// x", "http://(", "www.", "www. x", "www",
            "youtube.com", "youtu.be/", "me@youtube.com/x", "notyoutube.com/watch", "youtube.com.evil.example/x",
            "a.youtu.be/dQw4w9WgXcQ", "xhttps://a.org", "javascript:alert(1)", "ftp://a.org", "mailto:a@b.org", "a.b/c",
            "http:/a.org", "https://\u{200B}a.org", "foo/www.example.org", "https://a.org:99999/",
        ])
    func none(text: String) { #expect(Text.links(text).isEmpty, "\(Text.links(text))") }

    @Test("several links, in order, also the same twice")
    func several() {
        let text = "https://a.org/1,https://a.org/2 and http://b.org)(http://b.org [https://c.org](https://c.org)"
        #expect(
            Text.links(text).map(\.url) == [
                "https://a.org/1", "https://a.org/2", "http://b.org", "http://b.org", "https://c.org", "https://c.org",
            ])
    }

    @Test("a long text of beginnings takes no long time")
    func long() {
        for piece in [
            "http://", "www.", "https://a", "((((http://a", "youtube.com/", "&lt;", "https://a.org/(", "www.a(",
            "https://./", "youtube.com/./",
            "https://a[", "a.b/", "https://a例", "https://a例.", "https://a.org/?q=",
        ] {
            let text = String(repeating: piece, count: 20_000)
            let clock = ContinuousClock()
            let time = clock.measure { _ = Text.links(text) }
            #expect(time < .seconds(10), "\(piece)")
        }
    }
}
