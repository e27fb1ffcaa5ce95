// Relative references by the examples of RFC 3986, all of them, and what must not change the host.

import Basics
import Testing

@Suite("resolving relative references")
struct ResolveTests {
    @Test(
        "the normal examples of RFC 3986, 5.4.1",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ])
    func normal(reference: String, target: String) throws { try check(reference, target) }

    @Test(
        "the abnormal examples of RFC 3986, 5.4.2, read strictly",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func abnormal(reference: String, target: String) throws { try check(reference, target) }

    private func check(_ reference: String, _ target: String) throws {
        let base = try #require(WebAddress("http://a/b/c/d;p?q"))
        #expect(base.resolving(try #require(WebAddress(reference))).description == target)
    }

    @Test(
        "other bases",
        arguments: [
            ("http://a", "g", "http://a/g"), ("http://a?x", "g", "http://a/g"), ("http://a", "?y", "http://a?y"),
            ("http://a", "", "http://a"), ("http://u@a:8/b", "c", "http://u@a:8/c"), ("urn:a:b", "c", "urn:c"),
            ("mailto:x@y", "#f", "mailto:x@y#f"), ("http://a/b", "%2E%2e/c", "http://a/c"),
            ("http://a/b/", ".%2E/c", "http://a/c"), ("http://a/b/", "...", "http://a/b/..."),
            ("http://a/b//c", "../d", "http://a/b/d"), ("http://a/", "..//x", "http://a//x"),
            ("file:///a/b", "../../c", "file:///c"),
        ])
    func bases(base: String, reference: String, target: String) throws {
        let page = try #require(WebAddress(base))
        #expect(page.resolving(try #require(WebAddress(reference))).description == target)
    }

    @Test("a path is never read as a host or a scheme once it is written", arguments: ["//x/y", "a:b", "a:b/c", ":"])
    func path(text: String) throws {
        let written = WebAddress(path: text).description
        let read = try #require(WebAddress(written))
        #expect(read.host == nil && read.scheme == nil)
        #expect(WebAddress(scheme: "https", host: "h", path: "//x/y").description == "https://h//x/y")
    }

    @Test("what is resolved has no dots left, and resolving it again changes nothing")
    func stable() throws {
        let base = try #require(WebAddress("http://a/b/c/d"))
        let pieces = ["a", ".", "..", "", "%2e", "...", "b.c"]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    for lead in ["", "/"] {
                        let reference = WebAddress(path: lead + [first, second, third].joined(separator: "/"))
                        let target = base.resolving(reference)
                        #expect(target.host == "a")
                        #expect(!target.pathSegments.contains { $0 == "." || $0 == ".." })
                        #expect(WebAddress(target.description) == target)
                        #expect(base.resolving(target) == target)
                    }
                }
            }
        }
    }
}
