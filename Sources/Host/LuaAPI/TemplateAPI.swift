// Templates: text with placeholders, whose values are escaped for their context.

import LuaRuntime
import VideoModel

enum TemplateAPI {
    /// The parameters that fill a template.
    static let values = [
        APIParameter("values", .either([.table, .object(.video)]), "where names are looked up", optional: true),
        APIParameter("more", .table, "where names are looked up that the values do not have", optional: true),
    ]

    static let functions: [APIFunction] = [
        APIFunction(
            "template", "Reads a text with places for values, which it escapes; docs/templates.md has the syntax.",
            [
                APIParameter("text", .text, "{{name}} is a value, {{#name}}…{{/name}} a part that may stand or not"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "syntax", .choice(MarkupTemplate.Syntax.allCases.map(\.rawValue)),
                            "what it is escaped for; html when absent", optional: true)
                    ]), optional: true),
            ],
            gives: [APIResult(.object(.template), "call it with values, or write it with out:fill")],
            example: #"local row = yt.template([[<li><a href="{{url}}">{{title or id}}</a></li>]])"#
        ) { call throws(LuaError) in
            let syntax = call.option("syntax", of: 1).text.flatMap(MarkupTemplate.Syntax.init) ?? .html
            do throws(MarkupTemplate.Fault) {
                let template = try MarkupTemplate(call.text(0) ?? "", syntax: syntax)
                call.stack.push(LuaTemplate(template), as: call.context.types.template)
                return 1
            } catch {
                throw LuaError("yt.template: \(error)")
            }
        },
        APIFunction(
            "Template:fill", "The template filled with values, as text. Calling the template itself does the same.",
            values, gives: [APIResult(.text)], example: "local text = row:fill(v)"
        ) { call throws(LuaError) in
            guard let template = call.stack.payload(at: 1, as: call.context.types.template) else { return 0 }
            var filled: [UInt8] = []
            try fill(template, from: 0, of: call, into: &filled)
            call.stack.push(bytes: filled)
            return 1
        },
    ]

    /// Fills a template with the arguments from that position on.
    static func fill(
        _ template: LuaTemplate, from position: Int32, of call: APICall, into bytes: inout [UInt8]
    ) throws(LuaError) {
        var writer = TemplateWriter(
            template, values: call.index(position), more: call.index(position + 1), stack: call.stack,
            context: call.context)
        try writer.write(to: &bytes)
    }
}
