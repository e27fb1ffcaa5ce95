// Budgets that cannot be caught: each script tries to go on after its time is over.

import Testing

@testable import LuaRuntime

@Suite struct BudgetTests {
    /// Scripts that never end by themselves, and what each of them relies on.
    static let endless: [(name: String, source: String)] = [
        ("a loop", "while true do end"),
        ("pcall in a loop", "while true do pcall(function() while true do end end) end"),
        ("xpcall with a handler that loops", "while true do xpcall(error, function() while true do end end) end"),
        ("a handler that raises", "while true do xpcall(error, function() error('again') end) end"),
        ("nested pcall", "local function f() pcall(f) while true do end end f()"),
        ("a coroutine", "coroutine.wrap(function() while true do end end)()"),
        ("resume in a loop", "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
        ("thousands of short coroutines", "while true do coroutine.wrap(function() end)() end"),
        (
            "a coroutine made early",
            "local co = coroutine.create(function() while true do pcall(coroutine.yield) end end) while true do coroutine.resume(co) end"
        ),
        (
            "close with a variable that loops",
            """
            local co = coroutine.create(function()
              local x <close> = setmetatable({}, {__close = function() while true do end end})
              coroutine.yield()
            end)
            coroutine.resume(co)
            while true do coroutine.close(co) end
            """
        ),
        (
            "a to-be-closed variable",
            "while true do pcall(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) error('x') end) end"
        ),
        ("__tostring that spins", "tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
        (
            "__index that spins",
            "local t = setmetatable({}, {__index = function() while true do end end}) while true do pcall(function() return t.x end) end"
        ),
        ("a pattern that backtracks", "string.find(('a'):rep(200), '.-.-.-.-.-.-.-.-b')"),
        ("a quadratic pattern", "string.find(('a'):rep(2000000), '.-b')"),
        ("patterns under pcall", "while true do pcall(string.find, ('a'):rep(100000), '.-b') end"),
        (
            "gsub with a callback",
            "while true do pcall(string.gsub, ('a'):rep(1000), 'a', function() while true do end end) end"
        ),
        ("gmatch", "for _ in string.gmatch(('a'):rep(100000), '.-b') do end while true do end"),
        ("a balanced match", "while true do string.find(('('):rep(100000), '%b()') end"),
        ("sort with a comparator that loops", "table.sort({3, 1, 2}, function() while true do end end)"),
        (
            "a length that lies",
            "local t = setmetatable({}, {__len = function() return 9e6 // 1 | 0 end}) while true do pcall(table.concat, t) pcall(table.insert, t, 1, 1) end"
        ),
        ("load of endless text", "while true do load(function() return ' ' end) end"),
        ("a goto", "::again:: goto again"),
        ("recursion", "local function f() return f() end f()"),
    ]

    @Test("no script outlives its time", arguments: endless)
    func wall(name: String, source: String) throws {
        let budget = try LuaBudget()
        var settings = LuaState.Settings()
        settings.memoryLimit = 64 << 20
        let state = try LuaState(settings, budget: budget)
        budget.limit(wall: 0.15)
        let limited = try LuaState(settings, budget: budget)
        _ = state
        let start = ContinuousClock.now
        let error = #expect(throws: LuaError.self) { try limited.run(source, name: "x.lua") }
        #expect(ContinuousClock.now - start < .seconds(5))
        guard let kind = error?.kind else { return }
        switch kind {
        case .budget(.wall), .memory: break
        default: Issue.record("\(name): \(String(describing: error))")
        }
        #expect(throws: LuaError.self) { try limited.run("return 1", name: "x.lua") }
    }

    @Test("instructions are counted across coroutines, and the message names the line")
    func instructions() throws {
        let budget = try LuaBudget()
        budget.limit(instructions: 100_000)
        let state = try LuaState(budget: budget)
        let error = #expect(throws: LuaError.self) {
            try state.run("local n = 0\nwhile true do\n coroutine.wrap(function() n = n + 1 end)()\nend", name: "x.lua")
        }
        #expect(error?.kind == .budget(.instructions))
        #expect([2, 3].contains(error?.position?.line))
    }

    @Test("running out of memory cannot be caught under a budget")
    func memory() throws {
        var settings = LuaState.Settings()
        settings.memoryLimit = 4 << 20
        let state = try LuaState(settings, budget: try LuaBudget())
        let error = #expect(throws: LuaError.self) {
            try state.run("while true do pcall(string.rep, 'x', 1 << 26) end", name: "x.lua")
        }
        #expect(error?.kind == .memory)
    }

    @Test("the line that ran out of memory is known after a deep stack was taken down, too", arguments: [0, 10, 150])
    func memoryLine(depth: Int) throws {
        let budget = try LuaBudget()
        budget.limit(memory: 4 << 20)
        let error = #expect(throws: LuaError.self) {
            try LuaState(budget: budget).run(
                """
                local function fill(n)
                  if n > 0 then return 1 + fill(n - 1) end
                  local t = {}
                  while true do t[#t + 1] = {} end
                end
                fill(\(depth))
                """, name: "x.lua")
        }
        #expect(error?.kind == .memory)
        #expect(error?.position?.line == 4)
    }

    @Test("a state that was made before counts in the budget it is put under, and has its clock")
    func adopted() throws {
        let state = try LuaState()
        try state.run("held = ('x'):rep(1 << 20)", name: "x.lua")
        let budget = try LuaBudget()
        budget.limit(memory: 2 << 20)
        state.adopt(budget, frozenTime: 7)
        #expect(budget.memoryUsed > 1 << 20)
        try state.run("assert(os.time() == 7)", name: "x.lua")
        let error = #expect(throws: LuaError.self) { try state.run("more = ('y'):rep(1 << 20)", name: "x.lua") }
        #expect(error?.kind == .memory)
    }

    @Test("what the host counts ends the script at its next step, and a state beside it, too")
    func host() throws {
        let budget = try LuaBudget()
        let state = try LuaState(budget: budget)
        let other = try LuaState(budget: budget)
        state.define("spend") { _ throws(LuaError) in
            budget.expire(.host)
            throw LuaError("spent")
        }
        let error = #expect(throws: LuaError.self) { try state.run("while true do pcall(spend) end", name: "x.lua") }
        #expect(error?.kind == .budget(.host))
        let second = #expect(throws: LuaError.self) {
            try other.run("for i = 1, 10 do pcall(error) end", name: "y.lua")
        }
        #expect(second?.kind == .budget(.host))
    }

    @Test(
        "sizes are bounded before work begins",
        arguments: [
            "table.move({}, 1, 1e9 // 1 | 0, 2)", "('x'):rep(1 << 62)", "table.unpack({}, 1, 1e8 // 1 | 0)",
            "table.concat(setmetatable({}, {__len = function() return 1 << 40 end}))",
            "table.insert(setmetatable({}, {__len = function() return 1 << 40 end}), 1, 1)",
            "table.remove(setmetatable({}, {__len = function() return 1 << 40 end}), 1)",
            "table.sort(setmetatable({}, {__len = function() return 1 << 40 end}))",
        ])
    func bounded(source: String) throws {
        let start = ContinuousClock.now
        #expect(throws: LuaError.self) { try LuaState().run(source, name: "x.lua") }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("a comparator that lies does not crash", arguments: ["true", "math.random() < 0.5", "nil", "a"])
    func comparator(answer: String) throws {
        let source =
            "local t = {} for i = 1, 1000 do t[i] = i % 7 end pcall(table.sort, t, function(a, b) return \(answer) end) return #t"
        #expect(try LuaState().run(source, name: "x.lua").first?.integer == 1000)
    }

    @Test(
        "the replaced functions do what Lua's do",
        arguments: [
            ("table.concat({1, 2, 'x'}, ', ')", "1, 2, x"), ("table.concat({1, 2, 3}, '', 2)", "23"),
            ("table.concat({})", ""),
            ("('ab'):rep(3, '-')", "ab-ab-ab"), ("('x'):rep(0)", ""), ("('x'):rep(-1)", ""),
            (
                "(function() local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) return table.concat(t, ' ') end)()",
                "0 1 2 3"
            ),
            ("(function() local t = {1, 2, 3} return table.remove(t, 1) .. table.remove(t) .. #t end)()", "131"),
            ("table.concat(table.move({1, 2, 3}, 1, 3, 2), ' ')", "1 1 2 3"),
            ("table.concat(table.move({1, 2, 3}, 2, 3, 1), ' ')", "2 3 3"),
            ("select('#', table.unpack({1, nil, 3}, 1, 3))", "3"),
            ("select(2, pcall(error, 'e'))", "e"), ("tostring(pcall(coroutine.yield))", "false"),
            ("select(2, xpcall(error, function(m) return m .. '!' end, 'e'))", "e!"),
            ("tostring(select(2, pcall(function(...) return select('#', ...) end, 1, nil, nil)))", "3"),
            (
                "(function() local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b end) return co(1) .. co(5) end)()",
                "25"
            ),
            ("tostring(coroutine.resume(coroutine.create(function() error('x', 0) end)))", "false"),
            (
                "(function() local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) return tostring(coroutine.close(co)) .. coroutine.status(co) end)()",
                "truedead"
            ),
            (
                "(function() local co co = coroutine.wrap(function() return pcall(function() coroutine.yield(1) error('e', 0) end) end) co() local ok, e = co() return tostring(ok) .. e end)()",
                "falsee"
            ),
        ])
    func sameAsLua(expression: String, result: String) throws {
        let value = try LuaState().run("return \(expression)", name: "x.lua").first
        #expect((value?.text ?? value?.integer.map(String.init)) == result)
    }
}
