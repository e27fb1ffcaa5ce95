// The output object of formatters. Text that is not markup is written with `xml` or `html`, so that the short way is
// the safe one.

import Basics
import Gate
import HostErrors
import LuaRuntime

enum OutputAPI {
    private static let texts = [APIParameter("texts", .text, "strings and numbers", variadic: true)]
    private static let itself = [APIResult(.object(.output), "the same output, to write on")]

    static let functions: [APIFunction] = [
        APIFunction(
            "Out:write", "Writes strings and numbers as they are.", texts, gives: itself,
            example: #"out:write("<ul>\n")"#
        ) { call throws(LuaError) in try call.write(APICall.plain) },
        APIFunction(
            "Out:line", "Writes strings and numbers, and ends the line.", texts, gives: itself,
            example: "out:line(v.url)"
        ) { call throws(LuaError) in try call.write(endingLine: true, APICall.plain) },
        APIFunction(
            "Out:xml", "Writes text escaped for XML, as yt.xml.escape does.", texts, gives: itself,
            example: #"out:write("<title>"):xml(v.title):write("</title>")"#
        ) { call throws(LuaError) in try call.write(APICall.xml) },
        APIFunction(
            "Out:html", "Writes text escaped for HTML.", texts, gives: itself,
            example: #"out:write("<h1>"):html(v.title):write("</h1>")"#
        ) { call throws(LuaError) in try call.write(APICall.html) },
        APIFunction(
            "Out:link", "Writes one line of text; a terminal that can makes it a link. It is text alone anywhere else.",
            [
                APIParameter("text", .text, "what is shown"),
                APIParameter("url", .text, "where it leads, when it is http or https", optional: true),
            ], gives: itself, example: "out:link(v.title, v.url):line()"
        ) { call throws(LuaError) in
            let text = Text.clean(call.text(0) ?? "")
            let mark = call.context.environment.output.target.linkMark
            let url = mark.isEmpty ? nil : call.text(1).flatMap(Escape.webAddress)
            do throws(HostError) {
                try call.context.claimArguments()
                try call.context.environment.output.append { bytes in
                    guard let url, !text.isEmpty else { return bytes.append(contentsOf: text.utf8) }
                    bytes.append(contentsOf: TerminalLink.opening(url, mark: mark))
                    bytes.append(contentsOf: text.utf8)
                    bytes.append(contentsOf: TerminalLink.opening("", mark: mark))
                }
            } catch {
                throw call.context.raised(error)
            }
            call.stack.push(copyOf: 1)
            return 1
        },
        APIFunction(
            "Out:fill", "Writes a template filled with values.",
            [APIParameter("template", .object(.template))] + TemplateAPI.values, gives: itself,
            example: "out:fill(item, v, {link = yt.url.link(v.url)})"
        ) { call throws(LuaError) in
            guard let template = call.stack.payload(at: call.index(0), as: call.context.types.template) else {
                return 0
            }
            var problem: LuaError?
            do throws(HostError) {
                try call.context.claimArguments()
                try call.context.environment.output.append { bytes in
                    let start = bytes.count
                    do throws(LuaError) {
                        try TemplateAPI.fill(template, from: 1, of: call, into: &bytes)
                    } catch {
                        // Drop the incomplete row.
                        bytes.removeLast(bytes.count - start)
                        problem = error
                    }
                }
            } catch {
                throw call.context.raised(error)
            }
            if let problem { throw problem }
            call.stack.push(copyOf: 1)
            return 1
        },
    ]
}

extension APICall {
    /// Writes the arguments, and returns the output so that calls can be chained.
    fileprivate func write(
        endingLine: Bool = false, _ append: (LuaStack, Int32, inout [UInt8]) -> Void
    ) throws(LuaError) -> Int32 {
        do throws(HostError) {
            try context.claimArguments()
            let output = context.environment.output
            try output.append { bytes in
                var index = first
                let last = stack.count
                while index <= last {
                    append(stack, index, &bytes)
                    index += 1
                }
            }
            if endingLine { try output.endLine() }
        } catch {
            throw context.raised(error)
        }
        stack.push(copyOf: 1)
        return 1
    }

    fileprivate static func plain(_ stack: LuaStack, _ index: Int32, _ bytes: inout [UInt8]) {
        _ = stack.append(at: index, to: &bytes)
    }

    fileprivate static func xml(_ stack: LuaStack, _ index: Int32, _ bytes: inout [UInt8]) {
        let isString = stack.withSpan(at: index) { Escape.appendXML($0, to: &bytes) }
        // A number needs no escaping.
        if !isString { _ = stack.append(at: index, to: &bytes) }
    }

    fileprivate static func html(_ stack: LuaStack, _ index: Int32, _ bytes: inout [UInt8]) {
        let isString = stack.withSpan(at: index) { Escape.appendHTML($0, to: &bytes) }
        if !isString { _ = stack.append(at: index, to: &bytes) }
    }
}

enum OutputType {
    private static let fields = ["columns", "color", "terminal", "links"]

    static func make(in context: PluginContext) -> LuaType<OutputBuffer> {
        LuaType(
            name: "out", fields: fields,
            read: { output, field, stack throws(LuaError) in
                switch field {
                case 0: try stack.push(FieldValue(output.target.columns.map(Int64.init)))
                case 1: stack.push(output.target.allowsColor)
                case 3: stack.push(!output.target.linkMark.isEmpty)
                default: stack.push(output.target.isTerminal)
                }
            },
            unknown: { stack, writing in
                let name = stack.text(at: 2) ?? stack.kind(at: 2).name
                if writing { return LuaError("out.\(name) cannot be set") }
                let known = fields + API.functions.filter { $0.owner == .output }.map(\.name)
                return LuaError("out has no '\(name)'; " + Nearest.advice(for: name, among: known))
            },
            methods: context.methods(of: .output))
    }
}
