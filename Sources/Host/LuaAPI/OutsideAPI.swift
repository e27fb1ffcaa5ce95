// Files, environment and programs. Each function makes one gate request. Only the gate checks grants.

import Gate
import LuaRuntime

enum OutsideAPI {
    private static let path = APIParameter("path", .text, "from the folder where ythost was started")

    static let functions: [APIFunction] = [
        APIFunction(
            "file.read", "Reads a file whole, up to 64 MiB.", [path], gives: [APIResult(.text, "its bytes")],
            grant: .read, example: #"local text = yt.file.read("notes.txt")"#
        ) { call throws(LuaError) in
            guard case .bytes(let bytes?) = try call.context.ask(.readFile(call.text(0) ?? "")) else { return 0 }
            call.stack.push(bytes: bytes)
            return 1
        },
        APIFunction(
            "file.lines", "Reads a file line by line, without the line ends.", [path],
            gives: [APIResult(.function, "an iterator")], grant: .read,
            example: #"for line in yt.file.lines("ids.txt") do print(line) end"#
        ) { call throws(LuaError) in
            guard case .bytes(let bytes?) = try call.context.ask(.readFile(call.text(0) ?? "")) else { return 0 }
            let lines = Lines(bytes)
            call.stack.push { stack throws(LuaError) in
                guard let line = lines.next() else { return 0 }
                stack.push(bytes: line)
                return 1
            }
            return 1
        },
        APIFunction(
            "file.write", "Writes a file, whole or not at all.", [path, APIParameter("bytes", .text)], grant: .write,
            example: #"yt.file.write("seen.txt", table.concat(ids, "\n"))"#
        ) { call throws(LuaError) in
            _ = try call.context.ask(.writeFile(call.text(0) ?? "", call.stack.bytes(at: call.index(1)) ?? []))
            return 0
        },
        APIFunction(
            "env", "Reads an environment variable. Those of ythost itself are never given.",
            [APIParameter("name", .text)], gives: [APIResult(.text, "nil when it is not set")], grant: .env,
            example: #"local home = yt.env("HOME")"#
        ) { call throws(LuaError) in
            guard case .bytes(let bytes) = try call.context.ask(.variable(call.text(0) ?? "")) else { return 0 }
            if let bytes { call.stack.push(bytes: bytes) } else { call.stack.push() }
            return 1
        },
        APIFunction(
            "exec", "Runs a program, without a shell and with an empty environment.",
            [
                APIParameter("arguments", .list(.text), "the program's name, then its arguments"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter("input", .text, "what it reads on standard input", optional: true),
                        APIParameter(
                            "timeout", .integer(1...3600), "seconds until it is killed; 10 when absent", optional: true),
                        APIParameter(
                            "max", .integer(1...(64 << 20)), "bytes of output until it is killed; 1 MiB when absent",
                            optional: true),
                    ]), optional: true),
            ],
            gives: [APIResult(.table, "status, output, errors, and killed: why, when it did not end by itself")],
            grant: .exec, example: #"local done = yt.exec({"ffprobe", "-version"}, {timeout = 5})"#
        ) { call throws(LuaError) in
            var arguments: [String] = []
            for position in 0..<Int64(call.stack.rawLength(at: call.index(0))) {
                call.stack.pushElement(position + 1, of: call.index(0))
                arguments.append(call.stack.text(at: -1) ?? "")
                call.stack.pop()
            }
            if arguments.isEmpty { throw LuaError("yt.exec: the list of arguments is empty") }
            var input: [UInt8] = []
            if case .string(let text) = call.option("input", of: 1) { input = text.bytes }
            let reply = try call.context.ask(
                .execute(
                    arguments, input: input, timeout: Double(call.option("timeout", of: 1).integer ?? 10),
                    limit: Int(call.option("max", of: 1).integer ?? 1 << 20)))
            guard case .executed(let status, let output, let errors, let killed) = reply else { return 0 }
            call.stack.pushTable(members: 4)
            call.stack.push(Int64(status))
            call.stack.setField("status", of: -2)
            call.stack.push(bytes: output)
            call.stack.setField("output", of: -2)
            call.stack.push(bytes: errors)
            call.stack.setField("errors", of: -2)
            if let killed {
                call.stack.push(killed)
                call.stack.setField("killed", of: -2)
            }
            return 1
        },
    ]

    /// An iterator over the lines of a byte array.
    private final class Lines {
        private var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func next() -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else { return nil }
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            rest = end < rest.endIndex ? rest[(end + 1)...] : []
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            return line
        }
    }
}
