// `yt.xml.parse` and `yt.html.parse`: documents as light element trees, for plugins that read formats the host does not
// know.

import Basics
import HostErrors
import LuaRuntime
import Markup

/// An element inside a Lua state. It retains its whole document.
struct LuaElement {
    let element: MarkupElement

    private static let fields = ["name", "prefix", "namespace", "attributes", "line", "column", "parent"]

    static func type(in context: PluginContext) -> LuaType<LuaElement> {
        LuaType(
            name: "element", fields: fields,
            read: { [unowned context] payload, field, stack throws(LuaError) in
                let element = payload.element
                switch field {
                case 0: stack.push(element.name.local)
                case 1: try stack.push(FieldValue(element.name.prefix))
                case 2: try stack.push(FieldValue(element.name.namespace))
                case 3:
                    let attributes = element.attributes
                    try stack.reserve(4)
                    stack.pushTable(members: attributes.count)
                    for attribute in attributes {
                        stack.push(attribute.value)
                        stack.setField(attribute.name.qualified, of: -2)
                    }
                case 4: stack.push(Int64(element.line))
                case 5: stack.push(Int64(element.column))
                default: context.push(element.parent, on: stack)
                }
            },
            unknown: { stack, _ in
                let name = stack.text(at: 2) ?? "a \(stack.kind(at: 2).name)"
                let known = fields + API.functions.filter { $0.owner == .element }.map(\.name)
                return LuaError(
                    "an element has no '\(name)'; " + Nearest.advice(for: name, among: known)
                        + "; attributes are read with element:attribute(name)")
            },
            methods: context.methods(of: .element),
            metamethods: [
                (
                    "__tostring",
                    { [unowned context] stack throws(LuaError) in
                        let name = stack.payload(at: 1, as: context.types.element)?.element.name.qualified
                        stack.push("<\(name ?? "")>")
                        return 1
                    }
                ),
                (
                    "__eq",
                    { [unowned context] stack throws(LuaError) in
                        let one = stack.payload(at: 1, as: context.types.element)?.element
                        let other = stack.payload(at: 2, as: context.types.element)?.element
                        stack.push(one != nil && one == other)
                        return 1
                    }
                ),
            ])
    }
}

enum MarkupAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "xml.parse", "Reads well-formed XML. Entities that the document declares are not known.",
            [APIParameter("text", .text, "a document in any encoding, 64 MiB at most")],
            gives: [
                APIResult(
                    .object(.element),
                    "its outermost element; nil and a reason with line and column when it cannot be read")
            ],
            example: #"local root, reason = yt.xml.parse(text)"#
        ) { call throws(LuaError) in
            try call.givesTree { bytes throws(MarkupError) in try MarkupTree.xml(bytes) }
        },
        APIFunction(
            "html.parse", "Reads a page as browsers do: whatever is wrong in it is mended.",
            [APIParameter("text", .text, "a page in any encoding, 64 MiB at most")],
            gives: [
                APIResult(
                    .object(.element),
                    "the element html; nil and a reason with line and column when it is too large or too deep")
            ],
            example: #"local page = yt.html.parse(text); print(page:first("title"):text())"#
        ) { call throws(LuaError) in
            try call.givesTree { bytes throws(MarkupError) in try MarkupTree.html(bytes) }
        },
        APIFunction(
            "Element:select", "The elements inside that a CSS selector matches, in the document's order.",
            [
                APIParameter(
                    "css", .text,
                    """
                    type, prefix:type or prefix|type, #id, .class, [attribute], = ^= $= *= ~= |=, :first-child, \
                    :last-child, :nth-child(n), :not(simple), joined by blanks, >, +, ~ and commas
                    """)
            ],
            gives: [APIResult(.list(.object(.element)))],
            example: #"for _, link in ipairs(page:select("a[href^='https:']")) do print(link:attribute("href")) end"#
        ) { call throws(LuaError) in
            guard let element = call.element else { return 0 }
            try call.context.push(call.selector().select(in: element), on: call.stack)
            return 1
        },
        APIFunction(
            "Element:first", "The first element inside that a CSS selector matches.",
            [APIParameter("css", .text, "as for select")],
            gives: [APIResult(.object(.element), "nil when there is none")],
            example: #"local title = feed:first("channel > title")"#
        ) { call throws(LuaError) in
            guard let element = call.element else { return 0 }
            call.context.push(try call.selector().select(in: element, limit: 1).first, on: call.stack)
            return 1
        },
        APIFunction(
            "Element:children", "The elements directly inside, in their order.",
            gives: [APIResult(.list(.object(.element)))],
            example: "for _, child in ipairs(root:children()) do print(child.name) end"
        ) { call throws(LuaError) in
            guard let element = call.element else { return 0 }
            try call.context.push(Array(element.children), on: call.stack)
            return 1
        },
        APIFunction(
            "Element:text", "All text inside, as it stands.", gives: [APIResult(.text)], example: "print(title:text())"
        ) { call throws(LuaError) in call.gives(call.element?.text ?? "") },
        APIFunction(
            "Element:attribute", "The value of an attribute.",
            [APIParameter("name", .text, "as it is written, with its prefix: xml:lang")],
            gives: [APIResult(.text, "nil when there is none")], example: #"link:attribute("href")"#
        ) { call throws(LuaError) in call.gives(call.element?.attribute(call.text(0) ?? "")) },
    ]
}

extension APICall {
    fileprivate var element: MarkupElement? { stack.payload(at: 1, as: context.types.element)?.element }

    fileprivate func givesTree(_ read: ([UInt8]) throws(MarkupError) -> MarkupTree) throws(LuaError) -> Int32 {
        let tree: MarkupTree
        do throws(MarkupError) { tree = try read(stack.bytes(at: index(0)) ?? []) } catch {
            return unreadable("\(error)")
        }
        stack.push(LuaElement(element: tree.root), as: context.types.element, charge: tree.size)
        return 1
    }

    fileprivate func selector() throws(LuaError) -> MarkupSelector {
        do throws(MarkupSelectorError) { return try MarkupSelector(text(0) ?? "") } catch { throw LuaError("\(error)") }
    }
}

extension PluginContext {
    fileprivate func push(_ element: MarkupElement?, on stack: LuaStack) {
        guard let element else { return stack.push() }
        stack.push(LuaElement(element: element), as: types.element)
    }

    /// Pushes a list, with the methods of results.
    fileprivate func push(_ elements: [MarkupElement], on stack: LuaStack) throws(LuaError) {
        stack.push(prelude("list"))
        stack.pushTable(elements: elements.count)
        for (index, element) in elements.enumerated() {
            push(element, on: stack)
            stack.setElement(Int64(index + 1), of: -2)
        }
        try stack.call(arguments: 1, results: 1)
    }
}
