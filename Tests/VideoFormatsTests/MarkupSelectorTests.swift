// Selectors: what they match, and what is said of those that are not read.

import Glibc
import Testing

@testable import Markup

@Suite struct MarkupSelectorTests {
    private static let tree = Result { () throws(MarkupError) in
        try MarkupTree.xml(
            bytes(
                """
                <r><a id="1" class="x y" lang="en-GB"><b id="2" h="https://a/b.png"/><c id="3"/><b id="4" class="y"/></a>
                <a id="5"><d id="6"><b id="7" class="x"/></d>text<m:t id="8" m:q="v"/><b id="9"/></a></r>
                """))
    }

    private func ids(_ selector: String) throws -> String {
        let root = try Self.tree.get().root
        return try MarkupSelector(selector).select(in: root).map { $0.attribute("id") ?? "?" }.joined()
    }

    @Test(
        "selectors match what CSS says",
        arguments: [
            ("b", "2479"), ("*", "123456789"), ("#3", "3"), (".x", "17"), (".x.y", "1"), ("b.x", "7"),
            ("[class]", "147"),
            ("[id='4']", "4"), ("[id=\"4\"]", "4"), ("[h^=https]", "2"), ("[h$='.png']", "2"), ("[h*='a/b']", "2"),
            ("[class~=y]", "14"), ("[lang|=en]", "1"), ("[ h ]", "2"), ("[h^='']", ""), ("a b", "2479"),
            ("a > b", "249"),
            ("a>b", "249"), ("b + c", "3"), ("c + b", "4"), ("b ~ b", "4"), ("a ~ a b", "79"), ("a a", ""),
            ("b, c", "23479"),
            ("c,#1", "13"), ("b:first-child", "27"), ("b:last-child", "479"), ("b:nth-child(1)", "27"),
            ("a > :nth-child(odd)", "2469"), ("a > :nth-child(even)", "38"), ("a > :nth-child(2n+1)", "2469"),
            ("a > *:nth-child(-n+2)", "2368"), ("a > :nth-child(n+3)", "49"), ("b:not(.x)", "249"),
            ("b:not([h])", "479"),
            (":not(b):not(a)", "368"), ("a:not(:first-child) > b", "9"), ("m|t", "8"), ("m:t", "8"), ("*|t", "8"),
            ("m|*", "8"), ("|b", "2479"), ("[m|q]", "8"), ("[m:q=v]", "8"), ("a d b", "7"), ("a > d > b", "7"),
            ("a b + m:t", ""), ("d + m|t + b", "9"), ("r a", "15"), ("r > a > d", "6"), ("nothing", ""), ("B", ""),
            ("  b  ", "2479"), ("b\\:c", ""), ("[id=\\34 ]", "4"), ("#\\34", "4"),
        ])
    func matches(selector: String, expected: String) throws {
        #expect(try ids(selector) == expected, "\(selector)")
    }

    @Test("an element of HTML is named in any case; a limit ends the search; only what is inside is seen")
    func html() throws {
        let root = try MarkupTree.html(bytes("<div><P>1<p>2</div><p>3")).root
        #expect(try MarkupSelector("P").select(in: root).map(\.text) == ["1", "2", "3"])
        #expect(try MarkupSelector("p").select(in: root, limit: 2).count == 2)
        let division = try #require(MarkupSelector("div").select(in: root).first)
        #expect(try MarkupSelector("p").select(in: division).count == 2)
        #expect(try MarkupSelector("div > p").select(in: division).count == 2)
        #expect(try MarkupSelector("body p").select(in: division).isEmpty)
    }

    @Test(
        "what is no selector is named with its place",
        arguments: [
            ("", "column 1"), ("b,", "column 3"), ("b >", "column 4"), ("> b", "column 1: '>' where an element"),
            ("b::before", "column 3: pseudo-elements"), ("b:hover", "column 2: ':hover' is not known"),
            ("b:nth-child", "nth-child takes a number"), ("b:nth-child(x)", "no place among children"),
            ("b:not(a b)", "one simple selector"), ("b:not(:not(c))", ":not does not go inside"),
            ("[a", "after an attribute's name"),
            ("[a=]", "a value"), ("[a='b]", "quote"), ("b]", "']' is not expected"), ("a!b", "'!' is not expected"),
            ("#", "an id"),
            (".1 .", "a class"), ("a{}", "'{' is not expected"), ("[=b]", "an attribute"), ("\\", "at the end"),
            (Array(repeating: "a", count: 65).joined(separator: " "), "more than 64"),
        ])
    func refused(selector: String, said: String) {
        let error = #expect(throws: MarkupSelectorError.self) { try MarkupSelector(selector) }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test("time grows with the document, not with the combinations of ancestors", .timeLimit(.minutes(2)))
    func time() throws {
        // Its combinations would take years.
        let selector = Array(repeating: "a", count: 40).joined(separator: " ") + " c, a ~ a ~ a b"
        let (half, whole) = (try seconds(for: selector, branches: 50), try seconds(for: selector, branches: 100))
        #expect(whole < 4 * half, "\(half), \(whole)")
    }

    /// Of this thread's own, to select from so many branches of 190 elements each.
    private func seconds(for selector: String, branches: Int) throws -> Double {
        let depth = 190
        let one = String(repeating: "<a>", count: depth) + "<b/>" + String(repeating: "</a>", count: depth)
        let root = try MarkupTree.xml(bytes("<r>" + String(repeating: one, count: branches) + "</r>")).root
        let selector = try MarkupSelector(selector)
        let start = ownSeconds()
        #expect(selector.select(in: root).isEmpty == false)
        return ownSeconds() - start
    }

    private func ownSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
