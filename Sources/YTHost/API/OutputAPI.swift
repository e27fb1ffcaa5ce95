// Where formatters write. Text that is not markup goes through `xml` or `html`, so that the short way is the safe one.

import LuaRuntime
import VideoModel

enum OutputAPI {
    private static let texts = [APIParameter("texts", .text, "strings and numbers", variadic: true)]
    private static let itself = [APIResult(.object(.output), "the same output, to write on")]

    static let functions: [APIFunction] = [
        APIFunction(
            "Out:write", "Writes strings and numbers as they are.", texts, gives: itself,
            example: #"out:write("<ul>\n")"#
        ) { call throws(LuaError) in try call.writeArguments() },
        APIFunction(
            "Out:line", "Writes strings and numbers, and ends the line.", texts, gives: itself,
            example: "out:line(v.url)"
        ) { call throws(LuaError) in
            let results = try call.writeArguments()
            try call.onOutput { output throws(HostError) in try output.endLine() }
            return results
        },
        APIFunction(
            "Out:xml", "Writes text escaped for XML.", texts, gives: itself,
            example: #"out:write("<title>"):xml(v.title):write("</title>")"#
        ) { call throws(LuaError) in try call.write(escapedBy: Escape.xml) },
        APIFunction(
            "Out:html", "Writes text escaped for HTML.", texts, gives: itself,
            example: #"out:write("<h1>"):html(v.title):write("</h1>")"#
        ) { call throws(LuaError) in try call.write(escapedBy: Escape.html) },
    ]
}

extension APICall {
    /// Writes strings and numbers as they are.
    fileprivate func writeArguments() throws(LuaError) -> Int32 {
        try writeEach { bytes, index in _ = stack.append(at: index, to: &bytes) }
    }

    private func writeEach(_ append: (inout [UInt8], Int32) -> Void) throws(LuaError) -> Int32 {
        let last = stack.count
        try onOutput { output throws(HostError) in
            guard last >= first else { return }
            try output.append { bytes in
                for index in first...last { append(&bytes, index) }
            }
        }
        stack.push(copyOf: 1)
        return 1
    }

    fileprivate func write(escapedBy escape: (String) -> String) throws(LuaError) -> Int32 {
        try writeEach { bytes, index in
            var raw: [UInt8] = []
            _ = stack.append(at: index, to: &raw)
            bytes.append(contentsOf: escape(String(decoding: raw, as: UTF8.self)).utf8)
        }
    }

    fileprivate func onOutput(_ body: (OutputBuffer) throws(HostError) -> Void) throws(LuaError) {
        do throws(HostError) {
            try context.claimArguments()
            try body(context.surroundings.output)
        } catch {
            throw context.raised(error)
        }
    }
}

enum OutputType {
    private static let fields = ["columns", "color", "terminal"]

    static func make(in context: PluginContext) -> LuaType<OutputBuffer> {
        LuaType(
            name: "out", fields: fields,
            read: { output, field, stack throws(LuaError) in
                switch field {
                case 0: try stack.push(FieldValue(output.target.columns.map(Int64.init)))
                case 1: stack.push(output.target.allowsColor)
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
