// The part of the API that is written in Lua: `Results`, lists, and `require`. It is Lua because its loops call plugin
// functions for every row, and a call that stays inside Lua is cheap and may yield. Errors are raised through `host.fail`,
// which points at the plugin's line, since chunks named in brackets are left out of positions.

enum Prelude {
    static let name = "[ythost]"

    static let source = #"""
        local host = ...
        local check, fail = host.check, host.fail
        local rawget, setmetatable, type, next = rawget, setmetatable, type, next
        local sort, table_move = table.sort, table.move
        local rest = host.rest  -- all methods but :list(), until somebody asks for one
        local S = {}  -- the key a results object keeps its state under
        local methods, Results, List = {}, {}, {}

        local function results(step, info)
          return setmetatable({ [S] = { step = step, info = info } }, Results)
        end

        local function list(items)
          return setmetatable(items, List)
        end

        -- The step function of results or of a list. Results can be taken once.
        local function take_over(source)
          local state = rawget(source, S)
          if not state then
            local i = 0
            return function()
              i = i + 1
              return source[i]
            end
          end
          if state.used then fail("these results were read already; :list() gives a list that can be read again") end
          state.used = true
          return state.step, state.info
        end

        local function collect(step)
          local items, n = {}, 0
          for item in step do
            n = n + 1
            items[n] = item
          end
          return items, n
        end

        -- What a plugin gave as its videos, as a step function: results, a list, or an iterator with its state. Nothing
        -- for anything else.
        local function as_step(source, state, control)
          if type(source) == "table" then
            local step = take_over(source)
            if type(step) == "function" then return step end
            return function() return step() end
          end
          if type(source) ~= "function" then return nil end
          return function()
            control = source(state, control)
            return control
          end
        end

        local function method(name)
          if not methods[name] and rest then
            local define = rest()
            rest = nil
            define(host, methods, results, list, take_over, collect, type)
          end
          return methods[name]
        end

        function methods:list()
          check("Results:list", self)
          if not rawget(self, S) then return self end
          return list((collect(take_over(self))))
        end

        -- Calls of a for loop carry no control value the first time.
        function Results.__call(self, _, control)
          local state = rawget(self, S)
          if control == nil then
            if state.used then
              fail("these results were read already; :list() gives a list that can be read again")
            end
            state.used = true
          end
          return state.step()
        end

        function Results.__index(self, name)
          local known = methods[name]
          if known then return known end
          if name == "info" then
            local source = rawget(self, S).info
            return source and source.info or {}
          end
          if type(name) == "number" then fail("results are read once and have no positions; :list() gives a list") end
          return method(name) or host.no_method("results have", name)
        end

        function Results.__newindex() fail("results cannot be changed; :list() gives a list") end
        function Results.__len() fail("results have no length before they are read; :list() gives a list, :count() counts") end
        function Results.__pairs() fail("read results with `for v in results do`; :list() gives a list for ipairs") end
        Results.__name, Results.__metatable = "results", false

        function List.__index(_, name)
          local known = methods[name]
          if known then return known end
          if type(name) == "string" then return method(name) or host.no_method("a list has", name) end
        end
        List.__name, List.__metatable = "list", false

        local function numbers_first(a, b)
          local kind = type(a)
          if kind == type(b) then return a < b end
          return kind == "number"
        end

        -- An iterator over the keys of a table in order: numbers first, then strings.
        local function sorted_pairs(t)
          if type(t) ~= "table" then check("pairs", t) end
          if rawget(t, S) then Results.__pairs() end
          local keys, n, strings, others = {}, 0, 0, nil
          for key in next, t do
            local kind = type(key)
            if kind == "string" or kind == "number" then
              n = n + 1
              keys[n] = key
              if kind == "string" then strings = strings + 1 end
            else
              others = others or {}
              others[#others + 1] = key
            end
          end
          if strings == 0 or strings == n then
            sort(keys)
          else
            sort(keys, numbers_first)
          end
          if others then table_move(others, 1, #others, n + 1, keys) end
          local i = 0
          return function()
            i = i + 1
            local key = keys[i]
            if key ~= nil then return key, t[key] end
          end
        end

        local loaded, loading = {}, {}
        local function require(name)
          local module = loaded[name]
          if module ~= nil then return module end
          if type(name) ~= "string" then fail("require takes the name of a module, got a " .. type(name)) end
          if loading[name] then fail("module '" .. name .. "' requires itself") end
          local run = host.module(name)
          loading[name] = true
          local done <close> = setmetatable({}, { __close = function() loading[name] = nil end })
          module = run(name)
          if module == nil then module = true end
          loaded[name] = module
          return module
        end

        -- Functions of the chunk about tasks, which is compiled when one is called.
        local tasks
        local function later(name)
          return function(...)
            tasks = tasks or host.tasks()(host, results, list, take_over, collect, S, type)
            return tasks[name](...)
          end
        end

        return {
          results = results, list = list, as_step = as_step, next = next, pairs = sorted_pairs, require = require,
          all = later("all"), map = later("map"), merge = later("merge"), answer = later("answer"),
        }
        """#

    /// What the host uses of the table above.
    static let parts = ["results", "list", "as_step", "next", "pairs", "require", "all", "map", "merge", "answer"]

    /// The methods of results and lists, compiled when one is asked for. Most plugins use none but `:list()`, and
    /// compiling all of them took a twentieth of a short run. `type` is handed over: by then a plugin may have put
    /// something else in its place.
    static let rest = #"""
        local host, methods, results, list, take_over, collect, type = ...
        local check, fail, key_of = host.check, host.fail, host.key

        -- A stream whose items are known only when the first one is asked for.
        local function deferred(make)
          local items, i
          return function()
            if not items then items, i = make(), 0 end
            i = i + 1
            return items[i]
          end
        end

        local function merge_sort(items, n, before)
          local from, to, width = items, {}, 1
          while width < n do
            local start = 1
            while start <= n do
              local left, right = start, start + width
              local left_end, right_end = right, right + width
              if left_end > n + 1 then left_end = n + 1 end
              if right_end > n + 1 then right_end = n + 1 end
              for out = start, right_end - 1 do
                if left < left_end and (right >= right_end or not before(from[right], from[left])) then
                  to[out] = from[left]
                  left = left + 1
                else
                  to[out] = from[right]
                  right = right + 1
                end
              end
              start = start + 2 * width
            end
            from, to, width = to, from, 2 * width
          end
          return from
        end

        local function reader(field)
          if type(field) == "function" then return field end
          return function(item) return item[field] end
        end

        function methods:filter(keep)
          check("Results:filter", self, keep)
          local step, info = take_over(self)
          return results(function()
            for item in step do
              if keep(item) then return item end
            end
          end, info)
        end

        function methods:map(change)
          check("Results:map", self, change)
          local step, info = take_over(self)
          return results(function()
            local item = step()
            if item == nil then return nil end
            local changed = change(item)
            if changed == nil then fail("the function given to :map returned nil; drop items with :filter") end
            return changed
          end, info)
        end

        function methods:take(n)
          check("Results:take", self, n)
          local step, info = take_over(self)
          return results(function()
            if n <= 0 then return nil end
            n = n - 1
            return step()
          end, info)
        end

        function methods:skip(n)
          check("Results:skip", self, n)
          local step, info = take_over(self)
          return results(function()
            while n > 0 do
              n = n - 1
              if step() == nil then
                n = 0
                return nil
              end
            end
            return step()
          end, info)
        end

        function methods:unique(key)
          check("Results:unique", self, key)
          local step, info = take_over(self)
          local read = key and reader(key) or key_of
          local seen = {}
          return results(function()
            for item in step do
              local value = read(item)
              if value == nil then return item end
              if not seen[value] then
                seen[value] = true
                return item
              end
            end
          end, info)
        end

        function methods:sort(before)
          check("Results:sort", self, before)
          local step, info = take_over(self)
          return results(deferred(function()
            local items, n = collect(step)
            return merge_sort(items, n, before)
          end), info)
        end

        function methods:sort_by(field, direction)
          check("Results:sort_by", self, field, direction)
          local step, info = take_over(self)
          local read = reader(field)
          return results(deferred(function()
            local items, n = collect(step)
            local known, unknown = {}, {}
            for i = 1, n do
              local value = read(items[i])
              if value == nil then
                unknown[#unknown + 1] = items[i]
              else
                known[#known + 1] = { value, items[i] }
              end
            end
            local sorted
            if direction == "desc" then
              sorted = merge_sort(known, #known, function(a, b) return a[1] > b[1] end)
            else
              sorted = merge_sort(known, #known, function(a, b) return a[1] < b[1] end)
            end
            local count, all = #known, {}
            for i = 1, count do all[i] = sorted[i][2] end
            for i = 1, #unknown do all[count + i] = unknown[i] end
            return all
          end), info)
        end

        function methods:group(key)
          check("Results:group", self, key)
          local step, info = take_over(self)
          local read = reader(key)
          return results(deferred(function()
            local groups, by_key, without = {}, {}, nil
            for item in step do
              local value = read(item)
              local group = without
              if value ~= nil then group = by_key[value] end
              if not group then
                group = { key = value, videos = list({}) }
                groups[#groups + 1] = group
                if value == nil then without = group else by_key[value] = group end
              end
              group.videos[#group.videos + 1] = item
            end
            return groups
          end), info)
        end

        function methods:enrich(fields)
          check("Results:enrich", self, fields)
          host.enrich({}, fields)
          local step, info = take_over(self)
          local batch, i, done = {}, 0, false
          return results(function()
            i = i + 1
            if batch[i] == nil and not done then
              batch, i = {}, 1
              for item in step do
                batch[#batch + 1] = item
                if #batch == 50 then break end
              end
              done = #batch < 50
              batch = host.enrich(batch, fields)
            end
            return batch[i]
          end, info)
        end

        function methods:concat(other)
          check("Results:concat", self, other)
          local step, info = take_over(self)
          local second = take_over(other)
          return results(function()
            if step then
              local item = step()
              if item ~= nil then return item end
              step = nil
            end
            return second()
          end, info)
        end

        function methods:first()
          check("Results:first", self)
          return (take_over(self))()
        end

        function methods:count()
          check("Results:count", self)
          local n, step = 0, take_over(self)
          for _ in step do n = n + 1 end
          return n
        end
        """#
}
