// States, values both ways, calls both ways, coroutines.

import Testing

@testable import LuaRuntime

/// Runs text and gives its first result.
private func first(_ source: String, in state: LuaState) throws -> LuaValue {
    try state.run(source, name: "test.lua").first ?? .nil
}

@Suite struct LuaStateTests {
    @Test("an integer stays an integer and a float a float, to the last bit")
    func numbers() throws {
        let state = try LuaState()
        #expect(try first("return 9007199254740993", in: state).integer == 9_007_199_254_740_993)
        #expect(try first("return math.mininteger", in: state).integer == .min)
        guard case .number(let half) = try first("return 0.5", in: state) else {
            Issue.record("not a float")
            return
        }
        #expect(half == 0.5)
        guard case .integer = try first("return 3", in: state), case .number = try first("return 3.0", in: state) else {
            Issue.record("integer and float are mixed up")
            return
        }
    }

    @Test("a string keeps every byte, NUL and invalid UTF-8 included")
    func bytes() throws {
        let state = try LuaState()
        guard case .string(let string) = try first(#"return "a\0\xff\xfeb""#, in: state) else {
            Issue.record("not a string")
            return
        }
        #expect(string.bytes == [97, 0, 0xFF, 0xFE, 98])
        #expect(string.text.hasPrefix("a\0\u{FFFD}"))
        state.setGlobal("s", to: .string(LuaString([0, 1, 0xC0])))
        #expect(try first("return #s == 3 and s:byte(3)", in: state).integer == 0xC0)
    }

    @Test("tables, functions and nil come and go as values")
    func values() throws {
        let state = try LuaState()
        guard case .function(let add) = try first("return function(a, b) return a + b, nil, a < b end", in: state)
        else {
            Issue.record("not a function")
            return
        }
        let sum = try state.call(add, .integer(2), .integer(40))
        #expect(sum.count == 3 && sum[0].integer == 42 && sum[1].isNil && sum[2].isTrue)
        let table = try first("return {n = 1, 'x'}", in: state)
        #expect(table.typeName == "table")
        state.setGlobal("back", to: table)
        #expect(try first("return back[1] .. back.n", in: state).text == "x1")
    }

    @Test("a host function reads its arguments and gives back results")
    func hostFunction() throws {
        let state = try LuaState()
        state.define("twice") { stack throws(LuaError) in
            guard let whole = stack.integer(at: 1) else { throw LuaError("a whole number expected") }
            stack.push(whole * 2)
            stack.push("ok")
            return 2
        }
        #expect(try first("local n, s = twice(21) return n .. s", in: state).text == "42ok")
        #expect(throws: LuaError.self) { try state.run("twice('x')", name: "test.lua") }
    }

    @Test("calls nest: Swift in Lua in Swift in Lua")
    func nested() throws {
        let state = try LuaState()
        state.define("apply") { stack throws(LuaError) in
            try stack.call(arguments: stack.count - 1, results: 1)
            return 1
        }
        #expect(
            try first("return apply(function(x) return apply(function(y) return y .. '!' end, x) end, 'hi')", in: state)
                .text == "hi!")
        let error = #expect(throws: LuaError.self) {
            try state.run("local function f() return apply(f) end f()", name: "test.lua")
        }
        #expect(
            error?.message.contains("overflow") == true,
            "endless nesting ends in an error: \(String(describing: error))")
    }

    @Test("text with a byte order mark or a first line for the shell is loaded, bytecode is not")
    func loading() throws {
        let state = try LuaState()
        #expect(try state.call(try state.load([0xEF, 0xBB, 0xBF] + Array("return 1".utf8), name: "a"))[0].integer == 1)
        #expect(try state.call(try state.load(Array("#!/x\nreturn 2".utf8), name: "a"))[0].integer == 2)
        let error = #expect(throws: LuaError.self) { try state.load([0x1B] + Array("Lua".utf8), name: "a") }
        #expect(error?.kind == .syntax)
    }

    @Test("a coroutine is resumed with values, yields and returns them")
    func coroutines() throws {
        let state = try LuaState()
        guard
            case .function(let body) = try first(
                "return function(a) local b = coroutine.yield(a + 1) return b * 2, 'end' end", in: state)
        else {
            Issue.record("not a function")
            return
        }
        let coroutine = state.coroutine(body)
        guard case .yielded(let values) = try coroutine.resume(.integer(1)) else {
            Issue.record("did not yield")
            return
        }
        #expect(values.count == 1 && values[0].integer == 2)
        guard case .returned(let results) = try coroutine.resume(.integer(21)) else {
            Issue.record("did not return")
            return
        }
        #expect(results.count == 2 && results[0].integer == 42 && results[1].text == "end")
        #expect(throws: LuaError.self) { try coroutine.resume() }
    }

    @Test("a host function yields its coroutine and goes on when it is resumed")
    func hostYield() throws {
        let state = try LuaState()
        state.define("wait") { stack throws(LuaError) in
            if stack.state.isResumed {
                stack.push("got \(stack.text(at: stack.count) ?? "?")")
                return 1
            }
            stack.push("waiting")
            return stack.yield(1)
        }
        guard case .function(let body) = try first("return function() return wait() end", in: state) else {
            Issue.record("not a function")
            return
        }
        let coroutine = state.coroutine(body)
        guard case .yielded(let values) = try coroutine.resume() else {
            Issue.record("did not yield")
            return
        }
        #expect(values.first?.text == "waiting")
        guard case .returned(let results) = try coroutine.resume(.string(LuaString("reply"))) else {
            Issue.record("did not return")
            return
        }
        #expect(results.first?.text == "got reply")
        let outside = #expect(throws: LuaError.self) { try state.run("wait()", name: "test.lua") }
        #expect(outside?.message.contains("outside a coroutine") == true)
    }

    @Test("lpeg is linked in and works")
    func patternLibrary() throws {
        let state = try LuaState()
        try state.pushPatternLibrary(state.stack)
        state.setGlobal("lpeg", to: state.stack.value(at: -1))
        state.stack.pop()
        #expect(try first("return lpeg.match(lpeg.P'ab'^1, 'ababx')", in: state).integer == 5)
    }
}

extension LuaState {
    /// A global host function.
    func define(_ name: String, _ body: @escaping LuaFunctionBody) {
        stack.pushGlobals()
        stack.push(function: body)
        stack.setField(name, of: -2)
        stack.pop()
    }
}
