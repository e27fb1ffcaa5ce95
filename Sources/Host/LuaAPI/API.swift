// The list of everything plugins can call. To add a function, add its declaration to one of the groups.

import Basics
import HostErrors
import LuaRuntime

/// The `yt` API, version 1.
public enum API {
    public static let version = luaAPIVersion

    /// Every function and method, grouped as the reference page shows them.
    public static let groups: [(title: String, functions: [APIFunction])] = [
        ("Finding and reading", SourceAPI.functions),
        ("Looking up", LookUpAPI.functions),
        ("Feeds, pages and answers", DiscoveryAPI.functions),
        ("Results and lists", ResultsAPI.functions),
        ("At the same time", TaskAPI.functions),
        ("Records", VideoAPI.functions),
        ("Mapping JSON", MapperAPI.functions),
        ("Output", OutputAPI.functions),
        ("Players and pictures", EmbedAPI.functions + ThumbnailAPI.functions),
        ("Templates", TemplateAPI.functions),
        ("Data and escaping", DataAPI.functions + CSVAPI.functions),
        ("Markdown", MarkdownAPI.functions),
        ("Addresses", AddressAPI.functions),
        ("XML and HTML", MarkupAPI.functions),
        ("Text", TextAPI.functions),
        ("Time", TimeAPI.functions),
        ("Plugins", PluginAPI.functions),
        ("The web", WebAPI.functions),
        ("Files, environment, programs", OutsideAPI.functions),
    ]

    public static let functions: [APIFunction] = groups.flatMap(\.functions)

    /// The tables in `yt`.
    static let tables = ["csv", "duration", "file", "html", "http", "json", "markdown", "text", "time", "url", "xml"]

    /// Declarations to search for a name, most used first. Building all of them takes a twentieth of a short run, and a
    /// plugin uses only a few.
    private static let shelves: [@Sendable () -> [APIFunction]] = [
        { TemplateAPI.functions }, { DataAPI.functions }, { PluginAPI.functions }, { OutputAPI.functions },
        { TextAPI.functions }, { TimeAPI.functions }, { SourceAPI.functions }, { VideoAPI.functions },
        { MapperAPI.functions }, { AddressAPI.functions }, { MarkupAPI.functions }, { CSVAPI.functions },
        { MarkdownAPI.functions }, { TaskAPI.functions }, { ResultsAPI.functions }, { DiscoveryAPI.functions },
        { EmbedAPI.functions }, { ThumbnailAPI.functions },
        { functions },
    ]

    public static func named(_ path: String) -> APIFunction? {
        for shelf in shelves {
            if let found = shelf().first(where: { $0.path == path }) { return found }
        }
        return nil
    }

    /// The methods of a type.
    static func methods(of owner: APIFunction.Owner) -> [APIFunction] {
        let home =
            switch owner {
            case .results: functions
            case .video: LookUpAPI.functions + VideoAPI.functions
            case .output: OutputAPI.functions
            case .mapper: MapperAPI.functions
            case .template: TemplateAPI.functions
            case .element: MarkupAPI.functions
            case .thumbnail: ThumbnailAPI.functions
            }
        return home.filter { $0.owner == owner }
    }

    /// Sets `yt`, `print` and `require` in a plugin's globals. The members of `yt` are created on first use.
    static func install(in context: PluginContext, _ stack: LuaStack) throws(LuaError) {
        stack.pushTable(members: 8)
        stack.push(version)
        stack.setField("api", of: -2)
        fillOnUse(in: context, stack)

        stack.pushGlobals()
        stack.push(copyOf: -2)
        stack.setField("yt", of: -2)
        stack.push(function: PluginAPI.print(in: context))
        stack.setField("print", of: -2)
        stack.push(context.prelude("require"))
        stack.setField("require", of: -2)
        stack.pop(2)
    }

    /// Makes the table on top create its members on first access. An unknown name raises an error with a hint instead
    /// of returning nil.
    private static func fillOnUse(in context: PluginContext, _ stack: LuaStack, table: String? = nil) {
        stack.pushTable(members: 2)
        stack.push { [unowned context] stack throws(LuaError) in
            let name = stack.text(at: 2) ?? stack.kind(at: 2).name
            guard stack.kind(at: 1) == .table, push(name, of: table, in: context, stack) else {
                throw unknown(name, of: table)
            }
            stack.push(copyOf: -1)
            stack.setField(name, of: 1)
            return 1
        }
        stack.setField("__index", of: -2)
        stack.push { [unowned context] stack throws(LuaError) in
            guard stack.kind(at: 1) == .table else { throw LuaError("pairs of yt, or of a table in it") }
            for name in names(of: table) {
                stack.pushField(name, of: 1)
                if stack.isNil(at: -1), push(name, of: table, in: context, stack) { stack.setField(name, of: 1) }
                stack.setTop(1)
            }
            stack.push(context.prelude("next"))
            stack.push(copyOf: 1)
            return 2
        }
        stack.setField("__pairs", of: -2)
        stack.setMetatable(of: -2)
    }

    /// Pushes the member with this name. Returns false and pushes nothing if there is none.
    private static func push(
        _ name: String, of table: String?, in context: PluginContext, _ stack: LuaStack
    ) -> Bool {
        if table == nil, tables.contains(name) {
            stack.pushTable()
            fillOnUse(in: context, stack, table: name)
        } else if table == "json", name == "null" {
            context.pushNull(on: stack)
        } else if let function = named(table.map { "\($0).\(name)" } ?? name), function.owner == nil {
            if let body = context.bind(function) {
                stack.push(function: body)
            } else {
                stack.push(context.prelude(function.path))
            }
        } else {
            return false
        }
        return true
    }

    /// Every name in `yt`, or in a table of it.
    private static func names(of table: String?) -> [String] {
        let own = functions.filter { $0.owner == nil && $0.group == table }.map(\.name)
        return table == nil ? own + tables : table == "json" ? own + ["null"] : own
    }

    private static func unknown(_ name: String, of table: String?) -> LuaError {
        let prefix = table.map { "yt.\($0)." } ?? "yt."
        let advice = Nearest.name(to: name, among: names(of: table).sorted()).map { "; did you mean '\(prefix)\($0)'?" }
        return LuaError("there is no '\(prefix)\(name)'\(advice ?? "; `ythost help api` lists what there is")")
    }
}
