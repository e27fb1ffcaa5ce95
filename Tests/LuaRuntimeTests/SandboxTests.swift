// What a plugin finds in its state, and what it does not; the memory cap.

import Testing

@testable import LuaRuntime

@Suite struct SandboxTests {
    @Test("only the allow-listed names exist")
    func names() throws {
        let source = """
            local names = {}
            for name, value in pairs(_G) do
              if type(value) == "table" and name ~= "_G" then
                for inner in pairs(value) do names[#names + 1] = name .. "." .. inner end
              else
                names[#names + 1] = name
              end
            end
            table.sort(names)
            return table.concat(names, " ")
            """
        let expected = """
            _G _VERSION assert collectgarbage coroutine.close coroutine.create coroutine.isyieldable coroutine.resume \
            coroutine.running coroutine.status coroutine.wrap coroutine.yield error getmetatable ipairs load math.abs \
            math.acos math.asin math.atan math.ceil math.cos math.deg math.exp math.floor math.fmod math.huge math.log \
            math.max math.maxinteger math.min math.mininteger math.modf math.pi math.rad math.random math.randomseed \
            math.sin math.sqrt math.tan math.tointeger math.type math.ult next os.clock os.date os.difftime os.time \
            pairs pcall rawequal rawget rawlen rawset select setmetatable string.byte string.char string.find \
            string.format string.gmatch string.gsub string.len string.lower string.match string.pack string.packsize \
            string.rep string.reverse string.sub string.unpack string.upper table.concat table.insert table.move \
            table.pack table.remove table.sort table.unpack tonumber tostring type utf8.char utf8.charpattern \
            utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
            """
        #expect(try LuaState().run(source, name: "x").first?.text == expected)
    }

    @Test(
        "what reaches too far is refused",
        arguments: [
            ("setmetatable({}, {__gc = error})", "__gc"),
            ("string.format('%p', {})", "%p"),
            ("string.format('%-5p', {})", "%p"),
            ("collectgarbage('stop')", "count"),
            ("load('x', 'n', 'b')", "text"),
            ("assert(load('\\27Lua'))", "binary"),
            ("getmetatable('').__index = {}", "index"),
        ])
    func refused(source: String, part: String) throws {
        let error = #expect(throws: LuaError.self) { try LuaState().run(source, name: "x") }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test(
        "an error names the function, however it was called",
        arguments: [
            ("string.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"),
            ("('%d'):format({})", "bad argument #1 to 'format' (number expected, got table)"),
            ("('%q'):format({})", "bad argument #1 to 'format' (value has no literal form)"),
            ("string.format('%d')", "bad argument #2 to 'format' (no value)"),
            ("table.sort({1, 2}, 3)", "bad argument #2 to 'sort' (function expected, got number)"),
            ("os.date('%Ez')", "bad argument #1 to 'date' (invalid conversion specifier '%Ez')"),
            ("math.randomseed({})", "bad argument #1 to 'randomseed' (number expected, got table)"),
            ("select(2, pcall(string.rep))", "bad argument #1 to 'string.rep' (string expected, got no value)"),
            ("select(2, pcall((' ').rep))", "bad argument #1 to 'string.rep' (string expected, got no value)"),
            ("select(2, pcall(table.sort, 1))", "bad argument #1 to 'table.sort' (table expected, got number)"),
            ("select(2, pcall(math.floor, {}))", "bad argument #1 to 'math.floor' (number expected, got table)"),
            ("select(2, pcall(tostring))", "bad argument #1 to 'tostring' (value expected)"),
        ])
    func names(expression: String, words: String) throws {
        let source = "local done, words = pcall(function() return \(expression) end) return words"
        let text = try LuaState().run(source, name: "x").first?.text ?? ""
        #expect(text.hasSuffix(words), "\(text)")
    }

    @Test(
        "functions of Lua do what they do in Lua",
        arguments: [
            ("tostring(table.remove({}, 0))", "nil"), ("tostring(table.remove({}, #{}))", "nil"),
            ("tostring(table.remove({}, 1))", "nil"), ("tostring(table.remove({7}, 2))", "nil"),
            ("tostring(pcall(table.remove, {7}, 0))", "false"), ("tostring(pcall(table.remove, {7}, 3))", "false"),
            ("('a\\0b'):gsub('%z', 'z')", "azb"), ("('a\\0b'):gsub('%Z', 'z')", "z\0z"),
            ("('a\\0b'):gsub('[%z]', 'z')", "azb"),
            ("string.format('%s|%5.1s|%%|%d', {}, 'xy', 3)", "table|    x|%|3"),
            ("string.format('%%s%q', 'a')", "%s\"a\""),
            ("string.format('%s', setmetatable({}, {__tostring = function() return 'own' end}))", "own"),
            ("os.date('%Y', 0) .. os.date('!%Y', 0)", "19701970"),
            ("load('return 1', nil, 't')() + load('return x', 'n', 't', {x = 2})()", "3"),
            ("tostring(('').rep == string.rep)", "true"),
        ])
    func same(expression: String, value: String) throws {
        let source = "local value = \(expression) return tostring(value)"
        #expect(try LuaState().run(source, name: "x").first?.text == value)
    }

    @Test(
        "no address shows in any text",
        arguments: [
            "tostring({})", "tostring(tostring)", "tostring(coroutine.create(tostring))", "string.format('%s', {})",
            "string.format('%10s|%s', tostring, {})",
        ])
    func addresses(expression: String) throws {
        let text = try LuaState().run("return \(expression)", name: "x").first?.text
        #expect(text?.contains("0x") == false && text?.isEmpty == false)
    }

    @Test("string methods do not change when a script overwrites the library")
    func stringMethods() throws {
        #expect(
            try LuaState().run("string.upper = nil string.rep = error return ('a'):upper() .. ('b'):rep(2)", name: "x")
                .first?.text == "Abb")
    }

    @Test("load compiles text in the plugin's own globals, or in the environment given")
    func load() throws {
        #expect(
            try LuaState().run(
                "g = 1 return load('return g')() + load('return g', 'n', 't', {g = 10})()", name: "x"
            ).first?.integer == 11)
    }

    @Test("the clock is UTC and can be frozen")
    func clock() throws {
        var settings = LuaState.Settings()
        settings.frozenTime = 1_719_835_200
        let state = try LuaState(settings)
        let values = try state.run(
            """
            return os.time(), os.date("%Y-%m-%d %H:%M:%S"), os.date("!%H"), os.time{year=2024, month=7, day=1, hour=12},
              os.clock(), os.date("*t").hour
            """, name: "x")
        #expect(values[0].integer == 1_719_835_200 && values[1].text == "2024-07-01 12:00:00")
        #expect(values[2].text == "12" && values[3].integer == 1_719_835_200 && values[4].number == 0)
        #expect(values[5].integer == 12)
    }

    @Test("random numbers come from the seed")
    func seed() throws {
        func draw(_ seed: UInt64) throws -> Int64? {
            var settings = LuaState.Settings()
            settings.seed = seed
            return try LuaState(settings).run("math.randomseed() return math.random(1 << 60)", name: "x").first?.integer
        }
        #expect(try draw(1) == draw(1))
        #expect(try draw(1) != draw(2))
    }

    @Test(
        "memory over the cap is an error, and the state goes on working",
        arguments: [
            "local t = {} for i = 1, 1e9 do t[i] = i end", "return ('x'):rep(1 << 30)",
            "local s = 'x' while true do s = s .. s end",
        ])
    func memoryCap(source: String) throws {
        var settings = LuaState.Settings()
        settings.memoryLimit = 4 << 20
        let state = try LuaState(settings)
        let error = #expect(throws: LuaError.self) { try state.run(source, name: "x") }
        #expect(error?.kind == .memory)
        #expect(state.memoryUsed < 16 << 20)
        #expect(try state.run("return 1", name: "x").first?.integer == 1)
    }

    @Test("memory that Swift takes over the cap is granted to Swift and an error in Lua")
    func overdraft() throws {
        var settings = LuaState.Settings()
        settings.memoryLimit = 2 << 20
        let state = try LuaState(settings)
        state.define("big") { stack throws(LuaError) in
            stack.push(String(repeating: "x", count: 8 << 20))
            return 1
        }
        let error = #expect(throws: LuaError.self) { try state.run("local s = big() return #s", name: "x") }
        #expect(error?.message.contains("not enough memory") == true)
        #expect(try state.run("return 1", name: "x").first?.integer == 1)
    }

    @Test("an allocation refused at any point is a clean error and leaks nothing")
    func allocationFaults() throws {
        let alive = Counter()
        let source = """
            local t = {}
            for i = 1, 5 do t[i] = make() .. ("s" .. i):rep(3) end
            local co = coroutine.wrap(function() coroutine.yield(make()) end)
            co()
            local ok, e = pcall(fail)
            return table.concat(t, ",")
            """
        func state() throws -> LuaState {
            let state = try LuaState()
            state.define("make") { stack throws(LuaError) in
                let local = Counted(alive)
                stack.push("m\(local.counter.count)")
                return 1
            }
            state.define("fail") { _ throws(LuaError) in
                let local = Counted(alive)
                throw LuaError("failed with \(local.counter.count)")
            }
            return state
        }
        let whole = try state()
        try whole.run(source, name: "x")
        let total = whole.allocationCount
        #expect(total > 20)
        for countdown in 1...total {
            let state = try state()
            state.failAllocation(after: countdown)
            do throws(LuaError) { try state.run(source, name: "x") } catch {
                #expect(error.kind == .memory || error.message.contains("not enough memory"))
            }
            #expect(try state.run("return 1", name: "x").first?.integer == 1)
        }
        #expect(alive.count == 0)
    }
}
