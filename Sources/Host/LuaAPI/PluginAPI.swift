// The declarations of a plain script, and its messages to the user.

import Basics
import Gate
import HostErrors
import LuaRuntime
import Packages

/// The declarations made with `yt.options` and `yt.needs`.
package struct ScriptDeclaration {
    package var summary: String?
    package var options: [PluginOption] = []
    package var needs: FieldValue = .none
}

enum PluginAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "options", "Declares a script's flags, as a plugin's `options` do. Call it first.",
            [
                APIParameter(
                    "options", .table,
                    "{name = {type = …, default = …, help = …, min = …, max = …, values = {…}}}; type is string, integer, number, boolean, duration, date, enum or list; `summary` is for help"
                )
            ],
            gives: [
                APIResult(.table, "the values by name"),
                APIResult(.list(.text), "the words on the command line that are no flags"),
            ],
            example: #"local opt, words = yt.options{ min = {type = "duration", default = "10m"} }"#
        ) { call throws(LuaError) in
            let context = call.context
            var declaration = try call.stack.fieldValue(at: call.index(0), in: context)
            if case .record(var members) = declaration {
                context.declared.summary = declaration["summary"].text
                members.removeAll { $0.name == "summary" && $0.value.text != nil }
                declaration = .record(members)
            }
            let options: [PluginOption]
            let hostFlags = context.environment.hostFlags
            do throws(PluginOption.Problem) {
                options = try PluginOption.declarations(declaration, hostFlags: hostFlags)
            } catch { throw LuaError(error.text) }
            context.declared.options = options
            if context.claim?.isTaken == true {
                throw LuaError("yt.options must come before anything is searched, read or printed, and only once")
            }
            context.claim?.isTaken = true
            let claim = context.claim ?? PluginArguments(plugin: context.name)
            let values: [(String, FieldValue)]
            let words: [String]
            do throws(HostError) { (values, words) = try claim.resolve(options, hostFlags: hostFlags) } catch {
                throw context.raised(error)
            }
            try call.stack.push(.record(values.map { .init($0.0, $0.1) }))
            try call.stack.push(.list(words.map { .text($0) }))
            return 2
        },
        APIFunction(
            "needs", "Declares the grants a script needs, as a plugin's `needs` do.",
            [APIParameter("grants", .list(.text), "such as search")], example: #"yt.needs{"search"}"#
        ) { call throws(LuaError) in
            call.context.declared.needs = try call.stack.fieldValue(at: call.index(0), in: call.context)
            return 0
        },
        APIFunction(
            "usage",
            "Refuses what the command line asks for, with exit code 2 and without a line of the plugin.",
            [
                APIParameter("message", .text, "what does not fit, such as --columns: no field 'nope'"),
                APIParameter("hint", .text, "what to do instead", optional: true),
            ], example: #"if opt.min > opt.max then yt.usage("--min is more than --max") end"#
        ) { call throws(LuaError) in
            throw call.context.raised(.usage(call.text(0) ?? "", hint: call.text(1)))
        },
        APIFunction(
            "log",
            "Writes a line on standard error: errors and warnings always, info with --verbose, debug with -v -v.",
            [
                APIParameter("level", .choice(LogLevel.allCases.map(\.name))),
                APIParameter("values", .any, "written with spaces between", variadic: true),
            ], example: #"yt.log("info", "kept", n, "videos")"#
        ) { call throws(LuaError) in
            let name = call.text(0) ?? ""
            let level = LogLevel.allCases.first { $0.name == name } ?? .info
            let text = try joined(call.stack, from: call.index(1), separator: " ")
            _ = try call.context.ask(.log(level, "\(call.context.name): \(String(decoding: text, as: UTF8.self))"))
            return 0
        },
    ]

    /// `print`, into the run's output.
    static func print(in context: PluginContext) -> LuaFunctionBody {
        { [unowned context] stack throws(LuaError) in
            let text = try joined(stack, from: 1, separator: "\t")
            do throws(HostError) {
                try context.claimArguments()
                let output = context.environment.output
                try output.append(text)
                try output.endLine()
            } catch {
                throw context.raised(error)
            }
            return 0
        }
    }

    /// The values formatted by `tostring`.
    private static func joined(_ stack: LuaStack, from first: Int32, separator: String) throws(LuaError) -> [UInt8] {
        var text: [UInt8] = []
        let last = stack.count
        guard last >= first else { return text }
        for index in first...last {
            if index > first { text += Array(separator.utf8) }
            if stack.append(at: index, to: &text) { continue }
            stack.pushGlobals()
            stack.pushField("tostring", of: -1)
            if stack.kind(at: -1) != .function { throw LuaError("'tostring' is no longer a function") }
            stack.push(copyOf: index)
            try stack.call(arguments: 1, results: 1)
            guard stack.append(at: -1, to: &text) else { throw LuaError("'tostring' must give a string") }
            stack.setTop(last)
        }
        return text
    }
}
