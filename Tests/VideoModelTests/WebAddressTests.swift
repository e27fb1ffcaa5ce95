// URLs by RFC 3986: splitting, joining, and the escapes. What is split and joined again is the same text, since a
// plugin that changes one parameter must not change the others.

import Basics
import Testing

@Suite("WebAddress")
struct WebAddressTests {
    @Test("a URL falls into its parts")
    func parts() throws {
        let address = try #require(WebAddress("HTTPS://me:pw@Example.ORG:8080/a%20b/c?x=1&y#top"))
        #expect(
            address
                == WebAddress(
                    scheme: "https", userInformation: "me:pw", host: "example.org", port: 8080, path: "/a%20b/c",
                    query: "x=1&y", fragment: "top"))
        #expect(address.pathSegments == ["a b", "c"])
        #expect(address.queryItems == [.init("x", "1"), .init("y", nil)])
        #expect(address.queryValue("x") == "1")
        #expect(address.queryValue("z") == nil)
    }

    @Test(
        "what is split is put together the same",
        arguments: [
            "https://example.org/a/b?c=d#e", "//example.org/a", "/a/b?c", "?q", "#f", "", "a/b", "mailto:a@example.org",
            "http://[::1]:80/", "http://example.org?", "http://example.org#", "urn:isbn:1", "http://a@b@c/",
            "file:///a", "http://a%41b/", "http://[v1.a:b]/", "http://[fe80::1%25eth0]/", "http://[::ffff:1.2.3.4]/",
            "http://a_b~c!d/", "http://é.example/", "http://h./",
            "https://example.org/日本?q=é",
        ])
    func roundTrip(text: String) throws {
        #expect(try #require(WebAddress(text)).description == text)
    }

    @Test(
        "the authority is split as RFC 3986 says",
        arguments: [
            ("http://a@b@c/", "a@b", "c", nil), ("http://[::1]:80/", nil, "[::1]", 80),
            ("http://[::1]/", nil, "[::1]", nil),
            ("http://h:/", nil, "h", nil), ("http://h:0/", nil, "h", 0), ("http://u:1@h:2/", "u:1", "h", 2),
            ("http://h?x@y:1", nil, "h", nil), ("http://h#@y", nil, "h", nil), ("/a:b@c", nil, nil, nil),
        ] as [(String, String?, String?, Int?)])
    func authority(text: String, user: String?, host: String?, port: Int?) throws {
        let address = try #require(WebAddress(text))
        #expect(address.userInformation == user)
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(
        "what no URL may hold is refused",
        arguments: [
            "http://a b/", "http://a/\n", "http://a\\b/", "<http://a/>", "http://a:65536/", "http://a:x/", "1http://a/",
            ":a",
            "http://a/\u{0}", "http://a/\u{7F}", "ht tp://a", "é:a",
            "http://[google.com]/", "http://a[b/", "http://a]/", "http://[::1/", "http://::1/", "http://[::1]a/",
            "http://[]/", "http://[1.2.3.4]/", "http://[v1]/", "http://[v.a]/", "http://[::1%eth0]/",
            "http://[::1%25]/",
            "http://a%b/", "http://a%/", "http://%zz/", "http://user@/", "http://user@:80/", "http://:80/", "http://",
            "https:///a", "//", "///a", "//user@/", "http://a^b/", "http://a|b/", "http://a{b}/", "http://a`b/",
            "http://a:b:c/",
        ])
    func refused(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test("queries are read as forms write them")
    func query() throws {
        let address = try #require(WebAddress("?a=1+2&b=%26%3D&&c=&=d&e=f=g&%zz=%4"))
        #expect(
            address.queryItems == [
                .init("a", "1 2"), .init("b", "&="), .init("c", ""), .init("", "d"), .init("e", "f=g"),
                .init("%zz", "%4"),
            ])
        let items = [WebAddress.QueryItem("q", "a b&c=日"), .init("flag", nil), .init("empty", "")]
        #expect(WebAddress.query(items) == "q=a%20b%26c%3D%E6%97%A5&flag&empty=")
        #expect(WebAddress(query: WebAddress.query(items)).queryItems == items)
    }

    @Test("a separator followed by a combining mark still separates")
    func combining() throws {
        let address = try #require(WebAddress("/a/\u{301}b?x=1&\u{301}y=2"))
        #expect(address.pathSegments.count == 2)
        #expect(address.queryValue("x") == "1")
    }

    @Test(
        "percent-encoding keeps the unreserved characters only",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("/?#&=+%", "%2F%3F%23%26%3D%2B%25"), ("é", "%C3%A9"), ("", ""),
        ])
    func encode(plain: String, encoded: String) {
        #expect(Escape.url(plain) == encoded)
        #expect(WebAddress.decode(encoded) == plain)
    }

    @Test(
        "what is badly encoded stays, and bytes that are no UTF-8 become U+FFFD",
        arguments: [
            ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%FF", "\u{FFFD}"), ("%c3%a9", "é"), ("a+b", "a+b"),
        ])
    func decode(encoded: String, plain: String) {
        #expect(WebAddress.decode(encoded) == plain)
    }

    @Test(
        "a relative reference means what RFC 3986, 5.4 says",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("/a//b/../c", "http://a/a//c"),
        ])
    func resolve(reference: String, result: String) throws {
        let base = try #require(WebAddress("http://a/b/c/d;p?q"))
        #expect(base.resolving(try #require(WebAddress(reference))).description == result)
    }

    @Test("a reference to an address without a path has one slash before it")
    func resolveEmptyPath() throws {
        let base = try #require(WebAddress("http://a?q"))
        #expect(base.resolving(try #require(WebAddress("g"))).description == "http://a/g")
    }
}
