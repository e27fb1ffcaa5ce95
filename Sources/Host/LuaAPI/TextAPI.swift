// Text measured in terminal columns, not bytes.

import Basics
import LuaRuntime
import VideoModel

enum TextAPI {
    private static let columns = APIParameter("columns", .integer(0...10_000), "columns of a terminal")

    static let functions: [APIFunction] = [
        APIFunction(
            "text.width", "How many columns a text takes on a terminal.",
            [APIParameter("text", .text)], gives: [APIResult(.integer(0...Int64.max))],
            example: #"yt.text.width("日本語") -- 6"#
        ) { call throws(LuaError) in call.gives(Int64(Text.width(call.text(0) ?? ""))) },
        APIFunction(
            "text.truncate", "Cuts a text to so many columns, never inside a character; … stands for what is gone.",
            [APIParameter("text", .text), columns], gives: [APIResult(.text)], example: "yt.text.truncate(v.title, 40)"
        ) { call throws(LuaError) in
            call.gives(Text.truncate(call.text(0) ?? "", to: Int(call.integer(1) ?? 0)))
        },
        APIFunction(
            "text.pad", "Fills a text with spaces to so many columns; a longer one stays as it is.",
            [
                APIParameter("text", .text), columns,
                APIParameter(
                    "align", .choice(["left", "right", "center"]), "where the text stands; left when absent",
                    optional: true),
            ], gives: [APIResult(.text)], example: #"yt.text.pad("1:05", 8, "right")"#
        ) { call throws(LuaError) in
            let align = call.text(2).flatMap(Text.Alignment.init(rawValue:)) ?? .left
            return call.gives(Text.pad(call.text(0) ?? "", to: Int(call.integer(1) ?? 0), align: align))
        },
        APIFunction(
            "text.clean", "One line without control sequences, control characters and text direction overrides.",
            [APIParameter("text", .text)], gives: [APIResult(.text)], example: "yt.text.clean(v.title)"
        ) { call throws(LuaError) in call.gives(Text.clean(call.text(0) ?? "")) },
        APIFunction(
            "text.fold", "Text for comparing: case, accents and width do not matter.",
            [APIParameter("text", .text)], gives: [APIResult(.text)],
            example: #"yt.text.fold("Élan") == yt.text.fold("elan")"#
        ) { call throws(LuaError) in call.gives(Text.fold(call.text(0) ?? "")) },
        APIFunction(
            "text.links", "Finds the web addresses in running text, without the punctuation and brackets around them.",
            [APIParameter("text", .text)],
            gives: [
                APIResult(.list(.text), "the addresses in order, `https://` added where it was left out"),
                APIResult(.list(.table), "for each, {first, last}: the bytes it stands at"),
            ], example: #"for _, url in ipairs(yt.text.links(message)) do print(yt.parse_url(url)) end"#
        ) { call throws(LuaError) in
            let links = Text.links(call.text(0) ?? "")
            try call.stack.push(.list(links.map { .text($0.url) }))
            try call.stack.push(
                .list(
                    links.map {
                        .list([.integer(Int64($0.range.lowerBound + 1)), .integer(Int64($0.range.upperBound))])
                    }))
            return 2
        },
        APIFunction(
            "text.compact", "A count in at most four columns: 950, 1.2K, 3.2M.",
            [APIParameter("n", .integer())], gives: [APIResult(.text)], example: "yt.text.compact(v.views)"
        ) { call throws(LuaError) in call.gives(Text.compactCount(call.integer(0) ?? 0)) },
        APIFunction(
            "text.grouped", "A count with thousands set apart: 3,170,000.",
            [APIParameter("n", .integer())], gives: [APIResult(.text)], example: "yt.text.grouped(v.views)"
        ) { call throws(LuaError) in call.gives(Text.grouped(call.integer(0) ?? 0)) },
    ]
}
