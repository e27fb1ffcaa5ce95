// JSON, and one escaper for each syntax. Addresses are in AddressAPI.

import Basics
import JSON
import LuaRuntime
import VideoFormats

enum DataAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "json.encode", "Writes plain data, or a record, as JSON: exact integers, sorted keys, always valid UTF-8.",
            [
                APIParameter("value", .any, "a table with keys 1…n is an array, any other an object"),
                APIParameter(
                    "options", .options([APIParameter("pretty", .flag, "line breaks and indents", optional: true)]),
                    optional: true),
            ], gives: [APIResult(.text)], example: #"yt.json.encode({title = v.title, seconds = v.duration})"#
        ) { call throws(LuaError) in
            let pretty = call.option("pretty", of: 1).isTrue
            if !pretty, let video = call.context.video(at: call.index(0), of: call.stack) {
                call.stack.push(bytes: YTHostFormat.line(video))
            } else {
                let value = try call.stack.fieldValue(at: call.index(0), in: call.context)
                call.stack.push(bytes: JSON.encode(value, pretty: pretty))
            }
            return 1
        },
        APIFunction(
            "json.decode", "Reads JSON; null becomes yt.json.null inside tables.",
            [APIParameter("text", .text)], gives: [APIResult(.any, "nil and a reason when it is not JSON")],
            example: #"local data, reason = yt.json.decode(text)"#
        ) { call throws(LuaError) in
            let value: FieldValue
            do throws(JSONError) { value = try JSON.decode(call.stack.bytes(at: call.index(0)) ?? []) } catch {
                return call.unreadable("\(error)")
            }
            try call.pushJSON(value)
            return 1
        },
        APIFunction(
            "xml.escape",
            "Text made safe for XML, in elements and attributes. What XML cannot hold is taken out.",
            [APIParameter("text", .text)], gives: [APIResult(.text)], example: "yt.xml.escape(v.title)"
        ) { call throws(LuaError) in call.givesEscaped(Escape.appendXML) },
        APIFunction(
            "html.escape", "Text made safe for HTML: elements and quoted attributes.",
            [APIParameter("text", .text)], gives: [APIResult(.text)], example: "yt.html.escape(v.title)"
        ) { call throws(LuaError) in call.givesEscaped(Escape.appendHTML) },
        APIFunction(
            "html.unescape", "Decodes HTML character references, once.",
            [APIParameter("text", .text)], gives: [APIResult(.text)],
            example: #"yt.html.unescape("Rubik&#39;s Cube")"#
        ) { call throws(LuaError) in call.gives(HTMLEntities.unescape(call.text(0) ?? "")) },
        APIFunction(
            "uuid", "A UUID made of a name (RFC 9562, version 5): the same name always gives the same one.",
            [
                APIParameter("name", .text, "an address, or in another namespace whatever names the thing"),
                APIParameter(
                    "namespace", .text, "the UUID of the names' namespace; that of addresses when absent",
                    optional: true),
            ], gives: [APIResult(.text, "nil and a reason when the namespace is no UUID")],
            example: #""urn:uuid:" .. yt.uuid("https://example.org/feed.xml")"#
        ) { call throws(LuaError) in
            let name = call.text(0) ?? ""
            guard let namespace = call.text(1) else { return call.gives(NamedUUID.make(name)) }
            guard let bytes = NamedUUID.bytes(namespace) else { return call.unreadable("'\(namespace)' is not a UUID") }
            return call.gives(NamedUUID.make(name, namespace: bytes))
        },
        APIFunction(
            "csv.row", "One CSV record as RFC 4180 has it, without a line end.",
            [
                APIParameter("fields", .table, "positions from 1 to `columns`; nil is an empty field"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "columns", .integer(1...1000), "how many fields; the table's length when absent",
                            optional: true),
                        APIParameter(
                            "safe", .flag, "defuse what a spreadsheet would take for a formula", optional: true),
                        APIParameter(
                            "separator", .choice([",", ";", "tab"]), "what stands between fields; a comma when absent",
                            optional: true),
                    ]), optional: true),
            ], gives: [APIResult(.text)], example: #"out:line(yt.csv.row({v.id, v.title, v.duration}, {columns = 3}))"#
        ) { call throws(LuaError) in
            let table = call.index(0)
            let columns = call.option("columns", of: 1).integer ?? Int64(call.stack.rawLength(at: table))
            let safe = call.option("safe", of: 1).isTrue
            let separator = CSVAPI.separator(call) ?? UInt8(ascii: ",")
            var fields: [String] = []
            for column in 0..<columns {
                call.stack.pushElement(column + 1, of: table)
                defer { call.stack.pop() }
                if call.stack.isNil(at: -1) {
                    fields.append("")
                } else if let flag = call.stack.bool(at: -1) {
                    fields.append("\(flag)")
                } else {
                    var bytes: [UInt8] = []
                    guard call.stack.append(at: -1, to: &bytes) else {
                        throw LuaError(
                            "field \(column + 1) is a \(call.stack.kind(at: -1).name), which CSV cannot hold")
                    }
                    let text = String(decoding: bytes, as: UTF8.self)
                    fields.append(
                        safe && call.stack.kind(at: -1) == .string
                            ? Escape.spreadsheet(text, separator: separator) : text)
                }
            }
            return call.gives(Escape.csv(fields, separator: separator))
        },
    ]
}

extension APICall {
    fileprivate func givesEscaped(_ escape: (Span<UInt8>, inout [UInt8]) -> Void) -> Int32 {
        var bytes: [UInt8] = []
        let isString = stack.withSpan(at: index(0)) { text in
            bytes.reserveCapacity(text.count + 32)
            escape(text, &bytes)
        }
        if !isString { _ = stack.append(at: index(0), to: &bytes) }
        stack.push(bytes: bytes)
        return 1
    }

    /// Pushes plain data, with nulls preserved.
    fileprivate func pushJSON(_ value: FieldValue) throws(LuaError) {
        switch value {
        case .none: context.pushNull(on: stack)
        case .list(let items):
            try stack.reserve(4)
            stack.pushTable(elements: items.count)
            for (index, item) in items.enumerated() {
                try pushJSON(item)
                stack.setElement(Int64(index + 1), of: -2)
            }
        case .record(let members):
            try stack.reserve(4)
            stack.pushTable(members: members.count)
            for member in members {
                try pushJSON(member.value)
                stack.setField(member.name, of: -2)
            }
        default: try stack.push(value)
        }
    }
}
