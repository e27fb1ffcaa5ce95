// Userdata with a Swift payload: fields, methods, and payloads deinitialised exactly once.

import Testing

@testable import LuaRuntime

private struct Point {
    var x: Int64
    var y: Int64
    var counted: Counted?
}

@Suite struct LuaTypeTests {
    private func pointType() -> LuaType<Point> {
        LuaType(
            name: "point", fields: ["x", "y"],
            read: { point, field, stack throws(LuaError) in stack.push(field == 0 ? point.x : point.y) },
            write: { point, field, stack throws(LuaError) in
                guard let whole = stack.integer(at: 3) else { throw LuaError("a whole number expected") }
                if field == 0 { point.x = whole } else { point.y = whole }
            },
            unknown: { stack, writing in
                LuaError("a point has no '\(stack.text(at: 2) ?? "?")'\(writing ? " to set" : "")")
            },
            methods: [
                (
                    "sum",
                    { stack throws(LuaError) in
                        stack.push(Int64(stack.count))
                        return 1
                    }
                )
            ])
    }

    @Test("fields are read and written by name, methods are called, anything else is an error that names it")
    func fields() throws {
        let state = try LuaState()
        let id = state.register(pointType())
        state.stack.push(Point(x: 3, y: 4), as: id)
        state.setGlobal("p", to: state.stack.value(at: -1))
        #expect(try state.run("p.y = 5 return p.x + p.y", name: "x").first?.integer == 8)
        #expect(state.stack.payload(at: -1, as: id)?.y == 5)
        #expect(try state.run("return p:sum(1, 2)", name: "x").first?.integer == 3)
        for (source, part) in [
            ("return p.z", "'z'"), ("p.w = 1", "'w' to set"), ("return p[1]", "'?'"), ("p.x = 'a'", "whole number"),
            ("p.sum = 1", "'sum' to set"),
        ] {
            let error = #expect(throws: LuaError.self) { try state.run(source, name: "x") }
            #expect(error?.message.contains(part) == true, "\(source): \(error?.message ?? "")")
        }
        #expect(try state.run("return getmetatable(p), tostring(p)", name: "x").last?.text == "point")
        #expect(try state.run("return getmetatable(p)", name: "x").first?.isTrue == false)
    }

    @Test("a payload of another type, a table and nil are told apart")
    func otherTypes() throws {
        let state = try LuaState()
        let id = state.register(pointType())
        let other = state.register(pointType())
        state.stack.push(Point(x: 1, y: 1), as: other)
        #expect(state.stack.payload(at: -1, as: id) == nil)
        state.stack.push()
        #expect(state.stack.payload(at: -1, as: id) == nil)
    }

    @Test(
        "what keeps much alive elsewhere is collected though Lua's own memory is small, with two of them in use each time"
    )
    func pressure() throws {
        let alive = Counter()
        let state = try LuaState()
        let id = state.register(pointType())
        var most = 0
        state.stack.push()
        for x in 0..<5000 {
            state.stack.push(Point(x: Int64(x), y: 0, counted: Counted(alive)), as: id)
            state.stack.reportExternalMemory(64 << 10)
            most = max(most, alive.count)
            // The one before is let go only now, as in a loop over records.
            state.stack.removeFirst()
        }
        #expect(most < 100, "\(most)")
    }

    @Test("payloads go when they are collected, and the rest when the state closes")
    func lifetimes() throws {
        let alive = Counter()
        do {
            let state = try LuaState()
            let id = state.register(pointType())
            state.define("make") { stack throws(LuaError) in
                stack.push(Point(x: 0, y: 0, counted: Counted(alive)), as: id)
                return 1
            }
            try state.run("kept = make() for i = 1, 100 do make() end", name: "x")
            state.collectGarbage()
            #expect(alive.count == 1)
            try state.run("local q = make() kept2 = {make(), q}", name: "x")
        }
        #expect(alive.count == 0)
    }
}
