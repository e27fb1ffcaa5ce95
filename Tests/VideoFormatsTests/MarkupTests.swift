// Trees of XML and HTML: what is read, what is refused and where, and what hostile documents get.

import Testing

@testable import Markup

private func xml(_ text: String) throws(MarkupError) -> MarkupTree { try MarkupTree.xml(bytes(text)) }
private func lenient(_ text: String) throws(MarkupError) -> MarkupTree { try MarkupTree.lenientXML(bytes(text)) }

/// The tree written out: names, attributes and texts.
private func shape(_ element: MarkupElement) -> String {
    let attributes = element.attributes.map { " \($0.name.qualified)=\($0.value)" }.joined()
    var inside = ""
    var next = element.node.first
    while next >= 0 {
        let node = element.tree.nodes[Int(next)]
        inside +=
            node.name < 0
            ? element.tree.text(node.from, node.to) : shape(MarkupElement(tree: element.tree, index: next))
        next = node.next
    }
    return "(\(element.name.qualified)\(attributes):\(inside))"
}

@Suite struct MarkupTests {
    @Test(
        "well-formed XML is read as it stands",
        arguments: [
            ("<a/>", "(a:)"), ("<?xml version='1.0'?><!-- c --><a>x<!-- c -->y<?p?>z</a>", "(a:xyz)"),
            ("<a b='1' c=\"&lt;&#65;&amp;&#38;amp;\">&amp;<![CDATA[<&]]></a>", "(a b=1 c=<A&&amp;:&<&)"),
            ("<x:a xmlns:x='u' x:b='1'><x:c/></x:a>", "(x:a x:b=1:(x:c:))"), ("<a>ä😀</a>", "(a:ä😀)"),
            ("<a>\r\n</a>", "(a:\n)"),
        ])
    func wellFormed(text: String, expected: String) throws {
        #expect(try shape(xml(text).root) == expected)
        #expect(try shape(lenient(text).root) == expected)
    }

    @Test(
        "what is not well-formed is an error with its place; with lenience it is mended",
        arguments: [
            ("<a>\n<b></a>", 2, "(a:\n(b:))"), ("<a>x & y</a>", 1, "(a:x & y)"), ("<a>1 < 2</a>", 1, "(a:1 < 2)"),
            ("<a>&nbsp;&copy;&unknown;</a>", 1, "(a:\u{A0}©&unknown;)"), ("\n\n<?xml version='1.0'?><a/>", 3, "(a:)"),
            ("<a><b>one<c>two</a>", 1, "(a:(b:one(c:two)))"), ("<a>text</b></a>", 1, "(a:text)"),
            ("<a b=1 c d='x<y'/>", 1, "(a b=1 c= d=x<y:)"), ("<a>cut", 1, "(a:cut)"), ("<a>cut</", 1, "(a:cut</)"),
            ("<a><![CDATA[cut", 1, "(a:cut)"), ("<a><!-- cut", 1, "(a:)"), ("<a b=\"cut", 1, "(a b=cut:)"),
            ("<a/><a>two</a>", 1, "(a:(a:two))"), ("<a\n<b/></a>", 2, "(a:(b:))"),
            ("<a>one\u{1}two</a>", 1, "(a:onetwo)"), ("<a><br>x<b>y</b></a>", 1, "(a:(br:)x(b:y))"),
            ("<A>x</a>", 1, "(A:x)"), ("junk<a/>", 1, "(a:)"),
        ])
    func broken(text: String, line: Int, mended: String) throws {
        let error = #expect(throws: MarkupError.self) { try xml(text) }
        #expect(error?.line == line)
        #expect(error?.reason.description.isEmpty == false)
        #expect(try shape(lenient(text).root) == mended)
    }

    @Test("nothing without an element is a document", arguments: ["", " \n", "plain", "<!-- c -->", "<", "<>", "&"])
    func nothing(text: String) {
        #expect(throws: MarkupError.self) { try xml(text) }
        #expect(throws: MarkupError.self) { try lenient(text) }
    }

    @Test("names have their namespaces, declared or not")
    func namespaces() throws {
        let text = "<a xmlns='u'><b/><m:c xmlns:m='v' m:d='1'/><m:e/></a>"
        for tree in [try xml(text), try lenient(text + "<")] {
            let children = Array(tree.root.children)
            #expect(tree.root.name.namespace == "u" && children[0].name.namespace == "u")
            #expect(children[1].name.namespace == "v" && children[1].attributes[0].name.namespace == "v")
            #expect(children[2].name.namespace == nil && children[2].name.prefix == "m")
        }
    }

    @Test("an element knows where it is and what is around it")
    func places() throws {
        let text = "<a>\n  <b>x</b>\n  <c><d/></c>\n</a>"
        for tree in [try xml(text), try lenient(text + "&")] {
            let elements = Array(tree.root.all)
            #expect(elements.map(\.name.local) == ["a", "b", "c", "d"])
            #expect(elements.map(\.line) == [1, 2, 3, 3])
            #expect(elements[3].parent == elements[2] && elements[0].parent == nil)
            #expect(tree.root.text.split(whereSeparator: \.isWhitespace) == ["x"])
        }
    }

    // MARK: HTML

    @Test(
        "pages are mended",
        arguments: [
            ("<title>T</title><p>one<p>two", "(html:(head:(title:T))(body:(p:one)(p:two)))"),
            ("<html><body><b>x<i>y</b>z", "(html:(body:(b:x(i:y))z))"),
            ("<p A=1 b c='&amp;&eacute;'>&lt;", "(html:(body:(p a=1 b= c=&é:<)))"),
            ("<script>if (a<b) x('</p>')</script>", "(html:(head:(script:if (a<b) x('</p>'))))"),
        ])
    func pages(text: String, expected: String) throws {
        #expect(try shape(MarkupTree.html(bytes(text)).root) == expected)
    }

    @Test("zeros in a page end nothing")
    func zeros() throws {
        #expect(try MarkupTree.html(bytes("<p>a\u{0}b<b>c</b>")).root.text == "a\u{FFFD}bc")
        #expect(throws: MarkupError.self) { try xml("<a>\u{0}</a>") }
        #expect(try shape(lenient("<a>x\u{0}y</a>").root) == "(a:xy)")
    }

    // MARK: Hostile documents

    @Test("entities that a document declares expand to nothing")
    func entities() throws {
        var laughs = "<!DOCTYPE a [<!ENTITY l0 'ha'>"
        for level in 1...30 { laughs += "<!ENTITY l\(level) '&l\(level - 1);&l\(level - 1);'>" }
        laughs += "]><a b='&l30;'>&l30;</a>"
        let quadratic =
            "<!DOCTYPE a [<!ENTITY x '\(String(repeating: "x", count: 50_000))'>]><a>"
            + String(repeating: "&x;", count: 50_000) + "</a>"
        for text in [
            laughs, quadratic, "<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/hostname'>]><a>&f;</a>",
            "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/hostname'>%p;]><a>&f;</a>",
            "<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/a.dtd'><a>&f;</a>",
        ] {
            let error = #expect(throws: MarkupError.self) { try xml(text) }
            #expect(error?.reason.description.contains(text.contains("%p") ? "not found" : "not defined") == true)
            let tree = try lenient(text)
            #expect(tree.size < 4 * text.utf8.count + 1000)
            #expect(tree.root.text.hasPrefix("&"), "references stay as they are written")
        }
        #expect(try xml("<!DOCTYPE a SYSTEM 'a.dtd' [<!ENTITY x 'y'>]><a>b</a>").root.text == "b")
    }

    @Test("documents that nest too deep are refused", arguments: [201, 100_000])
    func deep(levels: Int) throws {
        let expected = MarkupError.Reason.tooDeep(limit: MarkupTree.deepest)
        for closing in ["", String(repeating: "</a>", count: levels)] {
            let text = String(repeating: "<a>", count: levels) + closing
            #expect(throws: MarkupError.self) { try xml(text) }
            #expect(#expect(throws: MarkupError.self) { try lenient(text) }?.reason == expected)
        }
        let page = "<title>T</title>" + String(repeating: "<div>", count: levels)
        #expect(#expect(throws: MarkupError.self) { try MarkupTree.html(bytes(page)) }?.reason == expected)
        #expect(try MarkupTree.page(bytes(page)).tree.root.text == "T")
    }

    @Test("200 levels are read")
    func deepEnough() throws {
        let text = String(repeating: "<a>", count: 200) + "x" + String(repeating: "</a>", count: 200)
        #expect(try xml(text).root.text == "x")
        #expect(try lenient(text + "<").root.text == "x<" || lenient(text).root.text == "x")
    }

    private static let many = (0..<2000).map { "a\($0)" }

    @Test(
        "only attributes of one tag count, as libxml2 sees them",
        arguments: [
            // An odd quote in text, CDATA, a comment or a script opens nothing.
            ("<r><t><![CDATA[A 7\" single]]></t>" + String(repeating: "<i a='1' b='2'/>", count: 900) + "</r>", false),
            ("<r><!-- it's -->" + String(repeating: "<i a='1' b='2'/>", count: 900) + "</r>", false),
            ("<?p it's?><r>" + String(repeating: "<i a='1' b='2'/>", count: 900) + "</r>", false),
            ("<p>5' 7\"</p>" + String(repeating: "<i a='1' b='2'></i>", count: 900), true),
            ("<script>if (a<b) x = 'it\\'s' " + String(repeating: "c = d; ", count: 2000) + "</script><p>", true),
            ("<style>a<b {" + String(repeating: "c = d; ", count: 2000) + "}</style><p>", true),
            ("<p><!-- a<b " + many.joined(separator: " ") + " --></p>", true),
            ("<p title=\"" + many.joined(separator: " = ") + "\"></p>", true),
        ])
    func fewAttributes(text: String, isHTML: Bool) throws {
        _ = try isHTML ? MarkupTree.html(Array(text.utf8)) : MarkupTree.xml(Array(text.utf8))
    }

    @Test(
        "too many attributes are an error, with or without values",
        arguments: [
            many.joined(separator: " "), many.joined(separator: "/"), many.map { "\($0)=1" }.joined(separator: " "),
            many.map { "\($0)='>'" }.joined(separator: " "), many.map { "\($0) = \"<\"" }.joined(separator: ""),
            many.map { "<\($0)" }.joined(separator: " "), "\" " + many.joined(separator: " "),
        ])
    func manyAttributes(attributes: String) throws {
        for text in ["<a \(attributes)>x</a>", "<p>x</p><a \(attributes)"] {
            #expect(throws: MarkupError.self) { try MarkupTree.html(Array(text.utf8)) }
        }
    }

    @Test("elements with too many attributes or namespaces are refused")
    func attributes() throws {
        let many = (0..<5000).map { " a\($0)='x'" }.joined()
        #expect(
            #expect(throws: MarkupError.self) { try xml("<a>\n<b\(many)/></a>") }?.reason
                == .tooManyAttributes(limit: 1000))
        #expect(throws: MarkupError.self) { try MarkupTree.html(bytes("<p\(many)>")) }
        let spaces = (0..<800).map { " xmlns:n\($0)='u'" }.joined()
        #expect(try xml("<a\(spaces)/>").root.name.local == "a")
        #expect(
            #expect(throws: MarkupError.self) { try xml("<a\(spaces)><b\(spaces)/></a>") }?.reason
                == .tooManyNamespaces(limit: 1000))
        #expect(throws: Never.self) { try xml("<a>\(String(repeating: "<b c='d = e'/> it's = = =", count: 3000))</a>") }
    }

    @Test("large documents are read in proportion, too large ones refused")
    func large() throws {
        let item = "<item><title>Some title &amp; more</title><link>https://example.org/</link></item>\n"
        let text = "<rss>" + String(repeating: item, count: 20_000)
        let start = ContinuousClock.now
        for document in [text + "</rss>", text] {
            let tree = try lenient(document)
            #expect(tree.root.children.count { _ in true } == 20_000)
        }
        #expect(ContinuousClock.now - start < .seconds(40))
        #expect(throws: MarkupError.self) { try MarkupTree.xml([UInt8](repeating: 60, count: MarkupTree.largest + 1)) }
    }
}

@Suite struct CharsetTests {
    private func text(_ bytes: [UInt8], hint: String? = nil, html: Bool = false) -> String {
        String(decoding: Charset.text(of: bytes, hint: hint, isHTML: html), as: UTF8.self)
    }

    @Test(
        "documents are read in the encoding they declare",
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("GBK", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("gb2312", [0xD6, 0xD0], "中"), ("Big5", [0xA4, 0xA4], "中"),
            ("EUC-JP", [0xC6, 0xFC], "日"), ("euc-kr", [0xC7, 0xD1], "한"), ("koi8-r", [0xF0, 0xD2], "Пр"),
            ("ISO-8859-7", [0xC1], "Α"), ("iso-8859-1", [0x93, 0xE9], "“é"), ("ISO-8859-15", [0xA4], "€"),
            ("windows-1250", [0xE8], "č"), ("utf-8", [0xC3, 0xA9], "é"), ("us-ascii", [0xE9], "é"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"), ("macintosh", [0x8E], "é"),
            ("bogus", [0xE9], "é"), ("bogus", [0xC3, 0xA9], "é"), ("utf-16", [0xC3, 0xA9], "é"),
            ("utf-7", [0x2B, 0x41, 0x44, 0x77, 0x2D], "+ADw-"),
        ] as [(String, [UInt8], String)])
    func declared(name: String, bytes: [UInt8], expected: String) {
        let head = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>".utf8)
        #expect(text(head + bytes) == String(decoding: head, as: UTF8.self) + expected)
        let page = Array("<html><META HTTP-EQUIV=Content-Type content='text/html; charset=\(name)'>".utf8)
        #expect(text(page + bytes, html: true) == String(decoding: page, as: UTF8.self) + expected)
        #expect(text(bytes, hint: name) == expected)
    }

    @Test("marks count for more than what is said, what the sender says for more than the document")
    func order() {
        #expect(text([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], hint: "windows-1251") == "é")
        #expect(text([0xFF, 0xFE, 0xE9, 0x00], hint: "utf-8") == "é")
        #expect(text([0xFE, 0xFF, 0x00, 0xE9]) == "é")
        #expect(text([0x3C, 0, 0x61, 0, 0x3E, 0, 0xE9, 0]) == "<a>é")
        #expect(text([0, 0x3C, 0, 0x61, 0, 0x3E, 0, 0xE9]) == "<a>é")
        let page = Array("<meta charset=iso-8859-7>".utf8)
        #expect(text(page + [0xC1], html: true).hasSuffix("Α"))
        #expect(text(page + [0xC1], hint: "windows-1251", html: true).hasSuffix("Б"))
    }

    @Test(
        "XML that names its encoding is believed against a server's label of an old one where it makes text",
        arguments: [
            ("iso-8859-7", "gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
            ("iso-8859-1", "windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("latin1", "utf-8", [0xC3, 0xA9], "é"),
            ("windows-1251", "Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("euc-kr", "windows-1251", [0xCF, 0x20, 0xE8], "П и"),
            // The declaration's bytes are not all there.
            ("iso-8859-7", "gb2312", [0xC1, 0x20, 0xE2], "Α β"),
            ("windows-1251", "utf-8", [0xCF, 0xF0, 0xE8], "При"),
            // As control characters they would be no text.
            ("windows-1252", "iso-8859-5", [0x93, 0xE9, 0x94], "“é”"),
            // What proves nothing.
            ("windows-1251", "iso-8859-1", [0xCF, 0xF0, 0xE8], "При"),
            ("gb2312", "windows-1251", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
            ("windows-1251", "bogus", [0xCF, 0xF0, 0xE8], "При"),
        ] as [(String, String, [UInt8], String)])
    func ownWord(said: String, declared: String, bytes: [UInt8], expected: String) {
        let head = Array("<?xml version=\"1.0\" encoding=\"\(declared)\"?>".utf8)
        #expect(text(head + bytes, hint: said) == String(decoding: head, as: UTF8.self) + expected)
        #expect(text([0xEF, 0xBB, 0xBF] + head + Array("é".utf8), hint: said).hasSuffix("é"))
    }

    @Test("pages are read as browsers read them: the server's label goes before the page's")
    func pageWord() {
        let page = Array("<meta charset=gb2312>".utf8)
        #expect(text(page + [0xC1, 0xE1], hint: "iso-8859-7", html: true).hasSuffix("Αα"))
    }

    @Test("a label that the bytes contradict is not believed")
    func lies() {
        let head = Array("<meta charset=windows-1251>".utf8)
        let words = "Матрица"
        #expect(text(head + Array(words.utf8), html: true).hasSuffix(words))
        #expect(text(Array("é".utf8), hint: "iso-8859-1") == "é")
        #expect(text([0xE9, 0x20, 0xE8], hint: "utf-8") == "é è")
        #expect(text(Array("ää".utf8) + [0xFF], hint: "utf-8") == "ää\u{FFFD}")
        #expect(text([0xE9, 0x20]) == "é ")
    }
}
