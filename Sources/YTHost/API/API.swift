// The list of everything plugins can call. Adding a function is adding its declaration to one of the groups.

import LuaRuntime

/// The `yt` API, version 1.
public enum API {
    public static let version: Int64 = 1

    /// Every function and method, grouped as the reference page shows them.
    public static let groups: [(title: String, functions: [APIFunction])] = [
        ("Finding and reading", SourceAPI.functions),
        ("Looking up", LookUpAPI.functions),
        ("Results and lists", ResultsAPI.functions),
        ("At the same time", TaskAPI.functions),
        ("Records", VideoAPI.functions),
        ("Mapping JSON", MapperAPI.functions),
        ("Output", OutputAPI.functions),
        ("Templates", TemplateAPI.functions),
        ("Data and escaping", DataAPI.functions + CSVAPI.functions),
        ("Addresses", AddressAPI.functions),
        ("XML and HTML", MarkupAPI.functions),
        ("Text", TextAPI.functions),
        ("Time", TimeAPI.functions),
        ("Plugins", PluginAPI.functions),
        ("The web", WebAPI.functions),
        ("Files, environment, programs", OutsideAPI.functions),
    ]

    public static let functions: [APIFunction] = groups.flatMap(\.functions)

    public static func named(_ path: String) -> APIFunction? { functions.first { $0.path == path } }

    /// Sets `yt`, `print` and `require` in a plugin's globals.
    static func install(in context: PluginContext, _ stack: LuaStack) throws(LuaError) {
        stack.pushTable(members: functions.count)
        for function in functions where function.owner == nil {
            if let group = function.group { pushGroup(group, stack) }
            if let body = context.bind(function) {
                stack.push(function: body)
            } else {
                stack.push(context.prelude(function.path))
            }
            stack.setField(function.name, of: -2)
            if function.group != nil { stack.pop() }
        }
        pushGroup("json", stack)
        context.pushNull(on: stack)
        stack.setField("null", of: -2)
        stack.pop()
        stack.push(version)
        stack.setField("api", of: -2)
        guardNames(stack)

        stack.pushGlobals()
        stack.push(copyOf: -2)
        stack.setField("yt", of: -2)
        stack.push(function: PluginAPI.print(in: context))
        stack.setField("print", of: -2)
        stack.push(context.prelude("require"))
        stack.setField("require", of: -2)
        stack.pop(2)
    }

    /// Pushes the table of a group such as `yt.json`, made on first use.
    private static func pushGroup(_ name: String, _ stack: LuaStack) {
        stack.pushField(name, of: -1)
        guard stack.isNil(at: -1) else { return }
        stack.pop()
        stack.pushTable()
        guardNames(stack, group: name)
        stack.push(copyOf: -1)
        stack.setField(name, of: -3)
    }

    /// A name that the table on top does not have is an error with advice, not nil.
    private static func guardNames(_ stack: LuaStack, group: String? = nil) {
        let prefix = group.map { "yt.\($0)." } ?? "yt."
        stack.pushTable(members: 1)
        stack.push { stack throws(LuaError) in
            let name = stack.text(at: 2) ?? stack.kind(at: 2).name
            let known = Set(
                functions.filter { $0.owner == nil && $0.displayName.hasPrefix(prefix) }
                    .map { String($0.displayName.dropFirst(prefix.count).prefix { $0 != "." }) })
            let advice = Nearest.name(to: name, among: known.sorted()).map { "; did you mean '\(prefix)\($0)'?" }
            throw LuaError("there is no '\(prefix)\(name)'\(advice ?? "; `ythost help api` lists what there is")")
        }
        stack.setField("__index", of: -2)
        stack.setMetatable(of: -2)
    }
}
