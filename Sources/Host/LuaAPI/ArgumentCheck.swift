// Checks arguments against a declaration before the body runs. Runs on every call, so types that Lua itself
// distinguishes are tested with a bit set, and error text is made only on failure.

import Basics
import HostErrors
import LuaRuntime

extension APIFunction {
    /// Throws a `LuaError` that names the function, the argument, the expected type and the actual value.
    func check(_ stack: LuaStack, in context: PluginContext) throws(LuaError) {
        var index: Int32 = 1
        if let owner {
            index = 2
            guard context.isObject(owner, at: 1, of: stack) else {
                throw LuaError(
                    "\(displayName): called without its \(owner.rawValue.lowercased()); write it with a colon, \(displayName)(…)"
                )
            }
        }
        for position in accepted.indices {
            let accepted = accepted[position]
            let last = accepted.isVariadic ? stack.count : index
            while index <= last {
                if !accepted.kinds.contains(stack.kind(at: index)) {
                    try check(parameters[position], at: index, stack, context)
                }
                index += 1
            }
        }
    }

    private func check(
        _ parameter: APIParameter, at index: Int32, _ stack: LuaStack, _ context: PluginContext
    ) throws(LuaError) {
        if stack.isNil(at: index), parameter.isOptional || parameter.isVariadic && index > stack.count { return }
        if let problem = parameter.type.problem(at: index, stack, context) {
            let number = owner == nil ? index : index - 1
            throw LuaError("bad argument #\(number) to '\(displayName)' (\(parameter.name)): \(problem)")
        }
    }
}

/// The kinds of Lua values that a parameter accepts without a further check.
struct AcceptedKinds: Sendable {
    let kinds: KindSet
    let isVariadic: Bool

    init(_ parameter: APIParameter) {
        kinds = parameter.type.kinds.union(parameter.isOptional ? [.none, .nil] : [])
        isVariadic = parameter.isVariadic
    }

    struct KindSet: OptionSet, Sendable {
        let rawValue: UInt16
        init(rawValue: UInt16) { self.rawValue = rawValue }
        init(_ kind: LuaStack.Kind) { rawValue = 1 << UInt16(kind.rawValue + 1) }

        static let none = KindSet(LuaStack.Kind.none)
        static let `nil` = KindSet(.nil)
        static let boolean = KindSet(.boolean)
        static let number = KindSet(.number)
        static let string = KindSet(.string)
        static let table = KindSet(.table)
        static let function = KindSet(.function)

        func contains(_ kind: LuaStack.Kind) -> Bool { contains(KindSet(kind)) }
    }
}

extension APIType {
    /// Kinds that are always accepted. For other types `problem` decides.
    fileprivate var kinds: AcceptedKinds.KindSet {
        switch self {
        case .any: KindSet.none.symmetricDifference(.init(rawValue: .max))
        case .text: [.string, .number]
        case .number: .number
        case .flag: .boolean
        case .function: .function
        case .table, .sequence: .table
        case .integer, .choice, .time, .bound, .object, .either, .options, .list: []
        }
    }

    private typealias KindSet = AcceptedKinds.KindSet

    /// What is wrong with the value at that index; nil when it fits.
    func problem(at index: Int32, _ stack: LuaStack, _ context: PluginContext) -> String? {
        let kind = stack.kind(at: index)
        switch self {
        case .any:
            return kind == .none ? expected(index, stack) : nil
        case .text:
            return kind == .string || kind == .number ? nil : expected(index, stack)
        case .number:
            return kind == .number ? nil : expected(index, stack)
        case .flag:
            return kind == .boolean ? nil : expected(index, stack)
        case .function:
            return kind == .function ? nil : expected(index, stack)
        case .table:
            return kind == .table ? nil : expected(index, stack)
        case .sequence:
            return kind == .table ? nil : expected(index, stack)
        case .integer(let range):
            guard let whole = stack.integer(at: index) else { return expected(index, stack) }
            guard let range, !range.contains(whole) else { return nil }
            return "\(name) expected, got \(whole)"
        case .choice(let words):
            guard let word = stack.text(at: index) else { return expected(index, stack) }
            return words.contains(word) ? nil : "'\(word)' is not \(name)" + Self.near(word, words)
        case .time:
            if stack.integer(at: index) != nil { return nil }
            guard let text = stack.text(at: index) else { return expected(index, stack) }
            return Timestamp.parse(text) == nil
                ? "'\(text)' is not a date; write 2024-07-01 or 2024-07-01T12:00:00Z" : nil
        case .bound:
            if stack.integer(at: index) != nil { return nil }
            guard let text = stack.text(at: index) else { return expected(index, stack) }
            return Timestamp.bound(text, now: context.now) == nil
                ? "'\(text)' is no date; write 2024-07-01, 2024-07-01T12:00:00Z, or an age such as 7d, 2w or 3mo" : nil
        case .object(let owner):
            return context.isObject(owner, at: index, of: stack) ? nil : expected(index, stack)
        case .either(let types):
            return types.contains { $0.problem(at: index, stack, context) == nil } ? nil : expected(index, stack)
        case .list(let type):
            guard kind == .table else { return expected(index, stack) }
            for position in 0..<Int64(stack.rawLength(at: index)) {
                stack.pushElement(position + 1, of: index)
                defer { stack.pop() }
                if let problem = type.problem(at: stack.count, stack, context) {
                    return "at \(position + 1): \(problem)"
                }
            }
            return nil
        case .options(let members):
            guard kind == .table else { return expected(index, stack) }
            return problem(inOptions: members, at: index, stack, context)
        }
    }

    private func problem(
        inOptions members: [APIParameter], at index: Int32, _ stack: LuaStack, _ context: PluginContext
    ) -> String? {
        var problem: String?
        try? stack.forEachPair(of: index) { stack throws(LuaError) in
            guard problem == nil else { return }
            guard stack.kind(at: -2) == .string, let key = stack.text(at: -2) else {
                problem = "options are written name = value"
                return
            }
            guard let member = members.first(where: { $0.name == key }) else {
                problem = "unknown option '\(key)'; " + Nearest.advice(for: key, among: members.map(\.name))
                return
            }
            problem = member.type.problem(at: stack.count, stack, context).map { "option '\(key)': \($0)" }
        }
        if problem != nil { return problem }
        for member in members where !member.isOptional {
            stack.pushField(member.name, of: index)
            defer { stack.pop() }
            if stack.isNil(at: -1) { return "option '\(member.name)' is missing" }
        }
        return nil
    }

    private static func near(_ word: String, _ words: [String]) -> String {
        Nearest.name(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
    }

    private func expected(_ index: Int32, _ stack: LuaStack) -> String {
        "\(name) expected, got \(stack.kind(at: index).name)"
    }
}
