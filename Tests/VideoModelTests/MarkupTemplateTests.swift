// Reading templates: what is refused, and where values may stand. What filling gives is tested with Lua's values.

import Testing
import VideoModel

@Suite struct MarkupTemplateTests {
    private func fault(_ text: String, _ syntax: MarkupTemplate.Syntax = .html) -> String? {
        do throws(MarkupTemplate.Fault) {
            _ = try MarkupTemplate(text, syntax: syntax)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "what is wrong is said with its line",
        arguments: [
            ("a\n{{title", "line 2 of the template: {{ without }}"),
            ("{{#a}}\n{{b}}", "line 2 of the template: {{#a}} of line 1 is not closed with {{/a}}"),
            ("\n{{/a}}", "line 2 of the template: {{/a}} closes nothing"),
            ("{{#a}}{{#b}}{{/a}}", "line 1 of the template: {{/a}} stands where {{/b}} of line 1 is expected"),
            ("{{a b}}", "line 1 of the template: {{a b}}: names are joined with 'or'"),
            ("{{a or}}", "line 1 of the template: {{a or}}: a name is missing"),
            ("{{}}", "line 1 of the template: {{}}: a name is missing"),
            ("{{a..b}}", "line 1 of the template: {{a..b}}: 'a..b' is no name"),
            ("{{a-b}}", "line 1 of the template: {{a-b}}: 'a-b' is no name"),
            ("{{\"a}}", "line 1 of the template: {{ without }}"),
            (
                "{{a|dat}}",
                "line 1 of the template: {{a|dat}}: no way to write a value is called 'dat'; there are rfc822, rfc3339, date, duration, grouped, link, url, raw"
            ),
            (
                "{{{a}}}",
                "line 1 of the template: {{{a}} is not known here; a value that is not escaped is written {{name|raw}}"
            ),
            ("{{#a or b}}{{/a}}", "line 1 of the template: a section is about one value, not {{#a or b}}"),
        ])
    func faults(text: String, message: String) {
        #expect(fault(text) == message)
    }

    @Test(
        "a value cannot stand where no escape makes it safe",
        arguments: [
            "<script>{{a}}</script>", "<style>{{a}}</style>", "<SCRIPT src=x>{{a}}", "<p class={{a}}>", "<{{a}}>",
            "<p {{a}}>", "<p {{a}}=\"x\">", "<!-- {{a}} -->", "<p onclick=\"{{a}}\">", "<p style='{{a}}'>",
            "<iframe srcdoc=\"{{a}}\">", "<script src=\"{{a}}\">", "<script src=\"https://{{a}}/x.js\">",
            "<script src='/{{a}}'>", "<base href=\"{{a}}\">", "<a href=\"javascript:f('{{a}}')\">",
            "<a href=\" java&Tab;script:{{a}}\">", "<iframe src=\"data:text/html,{{a}}\">",
            "<a href=\"&#106avascript:{{a}}\">", "<script>var x = '<b>'; {{a}}", "<p class= {{a}}>", "<a\n{{a}}>",
        ])
    func unsafe(text: String) throws {
        let message = try #require(fault(text))
        #expect(message.contains("{{a}}: "))
        // Whoever writes |raw has said that it is markup.
        #expect(fault(text.replacing("{{a}}", with: "{{a|raw}}")) == nil)
    }

    @Test(
        "text and quoted attributes take values",
        arguments: [
            "{{a}}", "<p>{{a}}</p>", "<p class=\"x {{a}}\" title='{{b}}'>", "<script>1</script>{{a}}", "1 < 2 {{a}}",
            "<!-- x -->{{a}}", "<p{{#a}} hidden{{/a}}>{{b}}</p>", "<style>p{}</style>\n<p>{{a}}", "<br/>{{a}}",
            "<a href=\"{{a}}\" data-x=\"{{b|date}}\">{{c}}</a>", "{{! {{a }}{{a}}",
            "<script src=\"https://example.org/{{a}}\"></script>", "<img src=\"data:image/png;base64,{{a}}\">",
            "<a href=\"mailto:{{a}}\">", "<p {{#a}}hidden{{/a}}>", "<p{{#a}} x=\"{{.}}\"{{/a}}/>",
        ])
    func safe(text: String) {
        #expect(fault(text) == nil)
    }

    @Test(
        "a section ends where it began, so that what follows does not depend on it",
        arguments: [
            "<a href=\"{{#a}}x\" on{{/a}}click=\"{{b}}\">", "<p {{#a}}x{{/a}}onclick=\"{{b}}\">",
            "<p onclick{{#a}} x{{/a}}=\"{{b}}\">", "<p {{#a}}click=\"{{b}}\" on{{/a}}>", "<script{{#a}}>{{/a}}{{b}}",
            "{{#a}}<script>{{/a}}{{b}}", "<s{{#a}}x{{/a}}cript>{{b}}", "<p class=\"{{#a}}\">{{/a}}{{b}}",
            "<!-- {{#a}}-->{{/a}}{{b}}", "<p {{#a}}title=\"{{/a}}{{b}}\">",
        ])
    func sections(text: String) {
        #expect(fault(text) != nil)
    }

    @Test("markup is not looked at in plain text, and XML knows no script")
    func syntaxes() {
        #expect(fault("<script>{{a}}</script>", .text) == nil)
        #expect(fault("<script>{{a}}</script>", .xml) == nil)
        #expect(fault("<a b={{a}}>", .xml) != nil)
        #expect(fault("<![CDATA[{{a}}]]>", .xml) != nil)
        #expect(fault("<![CDATA[x]]>{{a}}", .xml) == nil)
    }

    @Test("an address that begins an attribute for addresses becomes a link")
    func addresses() throws {
        let formats = { (text: String) throws in try MarkupTemplate(text).values.map(\.format) }
        #expect(try formats("<a href=\"{{a}}\">") == [.link])
        #expect(try formats("<img SRC='{{a}}'>") == [.link])
        #expect(try formats("<a href=\"https://x/{{a}}\">") == [nil])
        #expect(try formats("<a title=\"{{a}}\">") == [nil])
        #expect(try formats("<a href=\"{{a|raw}}\">") == [.raw])
        #expect(fault("<a href=\"{{a|date}}\">") != nil)
    }
}
