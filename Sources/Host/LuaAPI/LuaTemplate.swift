// The userdata that `yt.template` returns.

import LuaRuntime
import VideoModel

/// A template inside a Lua state.
final class LuaTemplate {
    let template: MarkupTemplate

    init(_ template: MarkupTemplate) { self.template = template }

    static func type(in context: PluginContext) -> LuaType<LuaTemplate> {
        LuaType(
            name: "template", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { stack, _ in
                LuaError(
                    "a template has no '\(stack.text(at: 2) ?? "?")'; call it, template(values), or out:fill(template, values)"
                )
            },
            methods: context.methods(of: .template),
            metamethods: API.named("Template:fill").flatMap(context.bind).map { [("__call", $0)] } ?? [])
    }
}
