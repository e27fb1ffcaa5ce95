// Markdown, whose escaping depends on the neighbouring characters.

import Basics
import LuaRuntime

enum MarkdownAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "markdown.escape", "Text made safe for Markdown: one line that shows as it is.",
            [APIParameter("text", .text)], gives: [APIResult(.text)],
            example: #"out:line("- ", yt.markdown.escape(v.title))"#
        ) { call throws(LuaError) in call.gives(Escape.markdown(call.text(0) ?? "")) },
        APIFunction(
            "markdown.link", "A link for Markdown, its text escaped.",
            [
                APIParameter("text", .text),
                APIParameter(
                    "url", .text, "where it leads; the text stands alone unless it is http or https", optional: true),
            ], gives: [APIResult(.text)], example: #"out:line("- ", yt.markdown.link(v.title, v.url))"#
        ) { call throws(LuaError) in call.gives(Escape.markdownLink(call.text(0) ?? "", url: call.text(1))) },
    ]
}
