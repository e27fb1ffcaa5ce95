// Templates filled with Lua's values and with records.

import Testing

@testable import HostErrors

@Suite struct TemplateTests {
    /// What a template gives for the values of a Lua expression.
    private func filled(_ template: String, _ values: String, _ options: String = "nil") throws -> String {
        try Workbench().run(
            plugin: """
                return { format = function(videos, out)
                  local v = yt.video{id = "x1", provider = "youtube", title = "A <b> & c", duration = 3900, views = 1234567,
                    published = 1719835200, channel = {title = "Ch"}, tags = {"a", "b"}, url = "https://example.org/v?a=1&b=2"}
                  v.extra.own = {deep = "d"}
                  out:write(yt.template([==[\(template)]==], \(options))(\(values)))
                end }
                """
        ).text
    }

    @Test(
        "values are looked up and written",
        arguments: [
            ("{{a}}-{{b}}-{{c}}", "{a = 'x', b = 2.0, c = true}", "x-2.0-true"),
            ("{{a}}|{{b}}|{{c}}", "{a = false, c = ''}", "||"),
            ("{{a or b or \"n/a\"}} {{c or \"}}\"}}", "{b = 7}", "7 }}"),
            ("{{a.b.c}}{{a.x.c}}", "{a = {b = {c = 'deep'}}}", "deep"),
            ("{{title}} {{id}} {{channel.title}}", "v", "A &lt;b&gt; &amp; c x1 Ch"),
            ("{{extra.own.deep}}{{description}}", "v", "d"),
            ("{{views|grouped}} {{duration|duration}} {{published|date}}", "v", "1,234,567 1:05:00 2024-07-01"),
            ("{{published|rfc822}}; {{published|rfc3339}}", "v", "Mon, 01 Jul 2024 12:00:00 GMT; 2024-07-01T12:00:00Z"),
            ("{{title|url}}", "v", "A%20%3Cb%3E%20%26%20c"), ("{{title|raw}}", "v", "A <b> & c"),
            ("{{note}} {{title}}", "v, {note = 'n', title = 'never'}", "n A &lt;b&gt; &amp; c"),
            ("{{description or \"-\"}}", "v, {description = 'from more'}", "from more"),
        ])
    func values(template: String, values: String, text: String) throws {
        #expect(try filled(template, values) == text)
    }

    @Test(
        "sections stand once, for each element, or not at all",
        arguments: [
            ("{{#a}}[{{.}}]{{/a}}", "{a = {1, 2, 'x'}}", "[1][2][x]"), ("{{#a}}y{{/a}}{{^a}}n{{/a}}", "{}", "n"),
            ("{{#a}}y{{/a}}{{^a}}n{{/a}}", "{a = {}}", "n"), ("{{#a}}y{{/a}}{{^a}}n{{/a}}", "{a = 0}", "y"),
            ("{{#a}}{{b}}{{c}}{{/a}}", "{a = {b = 1}, c = 2}", "12"),
            ("{{#tags}}{{.}},{{/tags}}", "v", "a,b,"), ("{{#channel}}{{title}}{{/channel}}", "v", "Ch"),
            ("{{#list}}{{id}} {{n}};{{/list}}", "{list = {v, v}, n = 1}", "x1 1;x1 1;"),
            ("{{#a}}{{#b}}{{.}}{{x}}{{/b}}{{/a}}", "{a = {{b = {1, 2}, x = 'p'}, {b = {3}, x = 'q'}}}", "1p2p3q"),
            ("{{#url|link}}ok{{/url}}{{#bad|link}}no{{/bad}}", "v, {bad = 'javascript:1'}", "ok"),
            ("{{#a}}{{.|date}}{{/a}}", "{a = 86400}", "1970-01-02"),
        ])
    func sections(template: String, values: String, text: String) throws {
        #expect(try filled(template, values) == text)
    }

    @Test("a line with a section's tag alone is left out, and others are not")
    func lines() throws {
        #expect(
            try filled("\\na\\n  {{#x}}\\n  b\\n  {{/x}}\\nc\\n".replacing("\\n", with: "\n"), "{x = 1}")
                == "a\n  b\nc\n")
        #expect(try filled("a {{#x}}b{{/x}}\nc {{! note }}\n{{! note }}\nd", "{x = 1}") == "a b\nc \nd")
    }

    @Test("hostile values stay values")
    func hostile() throws {
        let hostile = #"'"><script>alert(1)</script>'"#
        #expect(
            try filled(#"<p title="{{t}}">{{t}}</p>"#, "{t = \(hostile)}")
                == #"<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>"#
        )
        #expect(try filled(#"<a href="{{u}}">x</a>"#, "{u = 'javascript:alert(1)'}") == #"<a href="">x</a>"#)
        #expect(try filled(#"<a href="{{u}}">x</a>"#, "{u = 'https://x/?\"'}") == #"<a href="https://x/?%22">x</a>"#)
        #expect(try filled("{{t}}", "{t = '{{t}} \\1\\xff'}", "{syntax = 'xml'}") == "{{t}} \u{FFFD}")
        #expect(try filled("{{t}}", "{t = '<&>'}", "{syntax = 'text'}") == "<&>")
    }

    @Test(
        "the whole value of an attribute is judged when it is filled",
        arguments: [
            (#"<a href=" {{x}}">"#, "<a href=\" \">"), (#"<a href="&Tab;{{x}}">"#, "<a href=\"&Tab;\">"),
            (#"<a href="{{a}}{{x}}">"#, "<a href=\"\">"), (#"<a href="{{#b}}{{x}}{{/b}}">"#, "<a href=\"\">"),
            (#"<a href="{{#a}}/{{/a}}{{x}}">"#, "<a href=\"\">"), (#"<a href="java{{y}}">"#, "<a href=\"\">"),
            (#"<a href="{{#b}}java{{/b}}{{y}}">"#, "<a href=\"\">"), (#"<a href="&#{{z}}{{y}}">"#, "<a href=\"\">"),
            (#"<svg><set attributeName="href" to="{{x}}"/>"#, "<svg><set attributeName=\"href\" to=\"\"/>"),
            (#"<animate values="1;{{x}}"/>"#, "<animate values=\"\"/>"),
            (#"<animate from="{{x}}"/>"#, "<animate from=\"\"/>"),
            (#"<animate by=" {{x}}"/>"#, "<animate by=\"\"/>"),
            (#"<animate values="1;{{b}}"/>"#, "<animate values=\"1;7\"/>"),
            (#"<meta content="0; url={{x}}">"#, "<meta content=\"\">"),
            (#"<meta content="{{b}}">"#, "<meta content=\"7\">"),
            (#"<a href="/v/{{b}}{{x}}">"#, "<a href=\"/v/7javascript:alert(1)\">"),
            (#"<a href="{{u}}?t={{b}}">"#, "<a href=\"https://x/?t=7\">"), ("<a href=\"#{{b}}\">", "<a href=\"#7\">"),
            (#"<a href="v{{b}}.html">"#, "<a href=\"v7.html\">"),
            (#"<a href="{{x|raw}}">"#, "<a href=\"javascript:alert(1)\">"),
            ("<a href=\"{{x}}\u{1}\">", "<a href=\"\u{1}\">"),
            (#"<img src="{{#b}}{{u}}{{/b}}">"#, "<img src=\"https://x/\">"),
        ])
    func attributes(template: String, text: String) throws {
        let values = "{x = 'javascript:alert(1)', y = 'script:alert(1)', z = '106', b = 7, u = 'https://x/'}"
        #expect(try filled(template, values) == text)
    }

    @Test(
        "a value that cannot be written so is an error that names it",
        arguments: [
            (
                "\n{{tags}}", "v",
                "line 2 of the template: {{tags}}: it is a list or a table; a section writes what is in it"
            ),
            ("{{a}}", "{a = {1}}", "line 1 of the template: {{a}}: a table is no text; a section writes what is in it"),
            ("{{a|date}}", "{a = 'x'}", "line 1 of the template: {{a|date}}: only a whole number can be written so"),
            ("{{a|url}}", "{a = {1}}", "line 1 of the template: {{a|url}}: only a text can be encoded"),
            ("{{tilte}}", "v", "{{tilte}} in the template: a video has no field 'tilte'; did you mean 'title'?"),
            (
                "{{#a}}{{#a}}{{/a}}", "{}",
                "yt.template: line 1 of the template: {{#a}} of line 1 is not closed with {{/a}}"
            ),
        ])
    func wrong(template: String, values: String, message: String) throws {
        let report = try Workbench().failure(
            plugin: """
                return { format = function(videos, out)
                  local v = yt.video{id = "x", tags = {"a"}}
                  out:write(yt.template([==[
                \(template)]==])(\(values))) end }
                """)
        #expect(report.message == message)
    }

    @Test("a template that goes on and on ends with an error, and leaves nothing of the row")
    func endless() throws {
        let report = try Workbench().failure(
            plugin: """
                return { format = function(videos, out)
                  local list = {} for i = 1, 3000 do list[i] = i end
                  out:fill(yt.template("{{#l}}{{#m}}x{{/m}}{{/l}}"), {l = list, m = list}) end }
                """)
        #expect(report.message.contains("a template that writes over 5000000 pieces"))
        let text = try Workbench().run(
            plugin: """
                return { format = function(videos, out)
                  out:line("before")
                  pcall(out.fill, out, yt.template("half {{a|date}}"), {a = "x"})
                  out:fill(yt.template("{{a}}\\n"), {a = 1}):line("after") end }
                """
        ).text
        #expect(text == "before\n1\nafter\n")
    }
}
