-- `yt.all`, `yt.map` and merged results: tasks are coroutines that yield while they wait.
local host, results, list, take_over, collect, S, type, joined = ...
local check, fail, key_of = host.check, host.fail, host.key
local merged, together = host.merged, host.together
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
  return together(rows)
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
