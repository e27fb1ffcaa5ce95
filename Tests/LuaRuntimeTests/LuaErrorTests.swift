// Errors: where they happened, what they carried, and that none of them leaks or unwinds Swift.

import Testing

@testable import LuaRuntime

private struct Trouble: LuaErrorFacts, Equatable {
    var status: Int64
    func fact(_ name: LuaErrorFact) -> LuaValue {
        switch name {
        case .kind: .string(LuaString("network"))
        case .status: .integer(status)
        case .message: .string(LuaString("no answer"))
        default: .nil
        }
    }
}

@Suite struct LuaErrorTests {
    private func error(_ source: String, in state: LuaState) -> LuaError? {
        do throws(LuaError) {
            try state.run(source, name: "plugins/x.lua")
            return nil
        } catch { return error }
    }

    @Test("a runtime error names file and line, and its message stands without them")
    func position() throws {
        let found = error("local x\n\nlocal function inner() return x.y end\ninner()", in: try LuaState())
        #expect(found?.position == .init(source: "plugins/x.lua", line: 3))
        #expect(found?.message.hasPrefix("attempt to index a nil value") == true)
        #expect(found?.frames.map(\.position.line) == [3, 4])
        #expect(found?.frames.first?.name == "inner")
    }

    @Test("a syntax error names file and line")
    func syntax() throws {
        let found = error("x = 1\nif then", in: try LuaState())
        #expect(found?.kind == .syntax)
        #expect(found?.position == .init(source: "plugins/x.lua", line: 2))
        #expect(found?.message.contains("unexpected symbol") == true)
    }

    @Test("a path too long for Lua's messages is still told whole")
    func longName() throws {
        let name = String(repeating: "deep/", count: 30) + "x.lua"
        let state = try LuaState()
        for source in ["local x = nil + 1", "if then"] {
            let found = #expect(throws: LuaError.self) { try state.run(source, name: name) }
            #expect(found?.position == .init(source: name, line: 1))
            #expect(found?.message.contains("deep/") == false)
        }
    }

    @Test(
        "an error that is no string keeps its position",
        arguments: [
            ("error({code = 1})", "error object that is a table without a message"),
            ("error(setmetatable({}, {__tostring = function() return 'as text' end}))", "as text"),
            (
                "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() error(t) end error(t)",
                "error object that is a table without a message"
            ),
            ("error({message = 'said'})", "said"),
            ("error(nil)", "error without a message (nil)"),
            ("error()", "error without a message (nil)"),
            ("error(true)", "error object that is a boolean"),
            ("error(42)", "42"),
            ("error(print)", "error without a message (nil)"),
        ])
    func nonStrings(source: String, message: String) throws {
        let found = error("\n" + source, in: try LuaState())
        #expect(found?.position == .init(source: "plugins/x.lua", line: 2))
        #expect(found?.message == message)
    }

    @Test("error with level 2 points at the caller")
    func level() throws {
        let found = error("local function check() error('bad', 2) end\n\ncheck()", in: try LuaState())
        #expect(found?.message == "bad")
        #expect(found?.position?.line == 3)
    }

    @Test("the host's own chunks are left out of tracebacks")
    func internalFrames() throws {
        let state = try LuaState()
        guard case .function(let helper)? = try state.run("return function(f) f() end", name: "[helper]").first else {
            Issue.record("not a function")
            return
        }
        state.setGlobal("helper", to: .function(helper))
        let found = error("helper(function()\n error('deep') end)", in: state)
        #expect(found?.frames.allSatisfy { $0.position.source == "plugins/x.lua" } == true)
        #expect(found?.position?.line == 2)
    }

    @Test("a Swift error passes through Lua unharmed, and Lua can look at it")
    func swiftErrors() throws {
        let state = try LuaState()
        state.define("ask") { _ throws(LuaError) in throw LuaError(cause: Trouble(status: 503)) }
        let found = error("\nask()", in: state)
        #expect(found?.cause as? Trouble == Trouble(status: 503))
        #expect(found?.position == .init(source: "plugins/x.lua", line: 2))
        let again = error("local ok, e = pcall(ask)\nerror(e)", in: state)
        #expect(again?.cause as? Trouble == Trouble(status: 503))
        let seen = try state.run(
            "local ok, e = pcall(ask) return ok, e.kind, e.status, e.source, tostring(e)", name: "x")
        #expect(!seen[0].isTrue && seen[1].text == "network" && seen[2].integer == 503 && seen[3].isNil)
        let misspelt = error("local ok, e = pcall(ask) return e.kynd", in: state)
        #expect(misspelt?.message.contains("kynd") == true && misspelt?.message.contains("retry_at") == true)
    }

    @Test("an error passing through Swift keeps its value and the frames of where it began")
    func passedOn() throws {
        let state = try LuaState()
        state.define("apply") { stack throws(LuaError) in
            try stack.call(arguments: 0, results: 0)
            return 0
        }
        let found = error("local function deep()\n error({message = 'm', n = 7})\nend\napply(deep)", in: state)
        #expect(found?.message == "m")
        #expect(found?.position?.line == 2)
        let value = try state.run(
            "local ok, e = pcall(apply, function() error({n = 7}) end) return e.n", name: "x")
        #expect(value.first?.integer == 7)
    }

    @Test("10,000 errors thrown from Swift functions leak no Swift object")
    func noLeaks() throws {
        let alive = Counter()
        do {
            let state = try LuaState()
            let type = state.register(
                LuaType<Counted>(
                    name: "counted", read: { _, _, _ throws(LuaError) in }, unknown: { _, _ in LuaError("no fields") }))
            state.define("fail") { stack throws(LuaError) in
                let local = [Counted(alive), Counted(alive)]
                stack.push(local[0], as: type)
                throw stack.integer(at: 1).map { $0 % 2 == 0 } == true
                    ? LuaError("even") : LuaError(cause: Carrier(counted: Counted(alive)))
            }
            try state.run("for i = 1, 10000 do assert(not pcall(fail, i)) end", name: "x")
            state.collectGarbage()
            #expect(alive.count < 10, "collected while the state lives: \(alive.count) left")
        }
        #expect(alive.count == 0)
    }
}

/// Counts living objects.
final class Counter: @unchecked Sendable {  // one thread a test
    var count = 0
}

final class Counted: Sendable {
    let counter: Counter
    init(_ counter: Counter) {
        self.counter = counter
        counter.count += 1
    }
    deinit { counter.count -= 1 }
}

private struct Carrier: Error {
    let counted: Counted
}
