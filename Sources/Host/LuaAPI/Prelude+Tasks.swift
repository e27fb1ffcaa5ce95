// The part of the prelude that runs functions at the same time. Each is a task: a coroutine that is suspended while it
// waits for the outside. Only Lua code drives tasks, so that a task of a task, and a plugin's own generator in one, is
// suspended with it. Where Lua cannot suspend, as in a comparator of `table.sort`, a wait blocks instead, and that is all.

import Gate
import LuaRuntime
import VideoModel

extension Prelude {
    static let tasks = #"""
        local host, results, list, take_over, collect, S, type, joined = ...
        local check, fail, key_of, merged = host.check, host.fail, host.key, host.merged
        local create, step, wait, abandon, decode = host.create, host.step, host.wait, host.abandon, host.decode
        local next, rawget, rawset, setmetatable, error = next, rawget, rawset, setmetatable, error
        local AT_ONCE = { all = 64, map = 8 }

        -- What a task runs. Results are read in it, too.
        local function body(call, ...)
          local value = call(...)
          if type(value) == "table" and rawget(value, S) then value = list((collect(take_over(value)))) end
          return value
        end

        -- Calls what `next_call` gives, a function and its arguments, until it gives nothing; so many at once.
        local function run(next_call, most)
          local outcomes, count, active, has_more = {}, 0, 0, true
          local waiting = {}  -- tasks by what they wait for
          local ends <close> = setmetatable({}, { __close = function() abandon(waiting) end })

          local function go_on(task, ...)
            local how, value = step(task.thread, ...)
            if how == "waits" then
              task.wait = value
              if type(value) == "table" then
                -- It runs tasks itself.
                for errand in next, value do waiting[errand] = task end
              else
                waiting[value] = task
              end
              return
            end
            active = active - 1
            if how == "done" then
              outcomes[task.place] = { ok = true, value = value }
            elseif how == "failed" then
              outcomes[task.place] = { ok = false, error = value }
            else
              outcomes[task.place] = { ok = false, error = "the function yielded, and nobody takes what it yields" }
            end
          end

          local function begin(call, ...)
            if call == nil then
              has_more = false
              return
            end
            count, active = count + 1, active + 1
            go_on({ place = count, thread = create(body) }, call, ...)
          end

          while true do
            while has_more and active < most do begin(next_call()) end
            if active == 0 then return list(outcomes) end
            local done = wait(waiting)
            local task = waiting[done]
            if type(task.wait) == "table" then
              for errand in next, task.wait do waiting[errand] = nil end
            else
              waiting[done] = nil
            end
            go_on(task, done)
          end
        end

        local function all(functions, options)
          check("all", functions, options)
          local i = 0
          return run(function()
            i = i + 1
            return rawget(functions, i)
          end, options and options.at_once or AT_ONCE.all)
        end

        local function map(items, call, options)
          check("map", items, call, options)
          local take, i = take_over(items), 0
          return run(function()
            local item = take()
            if item == nil then return nil end
            i = i + 1
            return call, item, i
          end, options and options.at_once or AT_ONCE.map)
        end

        -- Reads all sources at the same time, and gives their rows, those of one video as one.
        local function merged_rows(steps)
          local i = 0
          local read = run(function()
            i = i + 1
            local source = steps[i]
            if source then return function() return (collect(source)) end end
          end, AT_ONCE.all)
          local rows, n, places = {}, 0, {}
          for source = 1, #read do
            if not read[source].ok then error(read[source].error, 0) end
            local items = read[source].value
            for j = 1, #items do
              local key = key_of(items[j])
              local place = key ~= nil and places[key]
              if place then
                rows[place] = merged(rows[place], items[j])
              else
                n = n + 1
                rows[n] = items[j]
                if key ~= nil then places[key] = n end
              end
            end
          end
          return rows
        end

        local function merge(sources)
          check("merge", sources)
          local steps, infos, n = {}, {}, 1
          while rawget(sources, n) do
            steps[n], infos[n] = take_over(sources[n])
            n = n + 1
          end
          local rows, i
          return results(function()
            if not rows then rows, i = merged_rows(steps), 0 end
            if rows[i + 1] == nil then return nil end
            i = i + 1
            return rows[i]
          end, joined(infos, n - 1, function() return i or 0 end))
        end

        local Answer = { __name = "answer", __metatable = false }

        -- A body is read as JSON when somebody asks for that.
        function Answer.__index(answer, name)
          if name ~= "json" then host.no_field(name) end
          local value = decode(rawget(answer, "body"))
          rawset(answer, "json", value)
          return value
        end

        local function answer(fields)
          return setmetatable(fields, Answer)
        end

        return { all = all, map = map, merge = merge, answer = answer }
        """#
}

extension PluginContext {
    /// Sets the functions that the chunk above needs in the table on top.
    func pushTaskFunctions(_ stack: LuaStack) {
        stack.push { [unowned self] stack throws(LuaError) in
            // As the library has it, whatever a plugin put in its place since.
            stack.push(try state.load(Array(Prelude.tasks.utf8), name: Prelude.name))
            return 1
        }
        stack.setField("tasks", of: -2)
        stack.pushGlobals()
        stack.pushField("coroutine", of: -1)
        stack.pushField("create", of: -1)
        stack.setField("create", of: -4)
        stack.pop(2)
        stack.pushStep()
        stack.setField("step", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in try wait(stack) }
        stack.setField("wait", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            try stack.forEachPair(of: 1) { stack throws(LuaError) in
                stack.payload(at: -2, as: types.errand)?.abandon()
            }
            return 0
        }
        stack.setField("abandon", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            guard let first = video(at: 1, of: stack), let second = video(at: 2, of: stack) else {
                stack.push(copyOf: 1)
                return 1
            }
            push(first.merged(with: second), on: stack)
            return 1
        }
        stack.setField("merged", of: -2)
        stack.push { stack throws(LuaError) in
            let name = stack.text(at: 1) ?? stack.kind(at: 1).name
            throw LuaError("an answer has no field '\(name)'; it has status, headers, body, json")
        }
        stack.setField("no_field", of: -2)
        if let decode = API.named("json.decode").flatMap(bind) {
            stack.push(function: decode)
            stack.setField("decode", of: -2)
        }
    }

    /// Waits for one of the errands that are keys of the table at index 1, and gives it: by suspending the coroutine
    /// when this runs in a task itself.
    private func wait(_ stack: LuaStack) throws(LuaError) -> Int32 {
        if stack.state.isResumed { return 1 }
        if stack.mayWait {
            stack.push(copyOf: 1)
            return stack.wait()
        }
        var errands: [Errand] = []
        try stack.forEachPair(of: 1) { stack throws(LuaError) in
            if let errand = stack.payload(at: -2, as: types.errand) { errands.append(errand) }
        }
        let done = Errand.first(of: errands).map { errands[$0] }
        var key: LuaReference?
        try stack.forEachPair(of: 1) { stack throws(LuaError) in
            if let done, stack.payload(at: -2, as: types.errand) === done { key = stack.reference(at: -2) }
        }
        if let key { stack.push(key) } else { stack.push() }
        return 1
    }
}

extension Errand {
    /// An errand in a Lua state: something to wait for, without fields.
    static var type: LuaType<Errand> {
        LuaType(
            name: "errand", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { _, _ in LuaError("an errand has no fields") })
    }
}
