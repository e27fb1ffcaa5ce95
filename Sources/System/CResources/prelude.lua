-- Results, lists and `require`: the part of the `yt` API that is written in Lua.
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

-- What look-ups spent on rows of results, by the object that tells of these.
local spent = setmetatable({}, { __mode = "k" })

local function facts_of(source)
  local facts = source and source.info or {}
  local more = spent[source or spent]
  if more then
    facts.calls, facts.cached = (facts.calls or 0) + more.calls, (facts.cached or 0) + more.cached
  end
  return facts
end

-- What tells of results that were made of several: sums, and what each source says.
local function joined(infos, count, rows)
  return setmetatable({}, { __index = function(_, name)
    if name ~= "info" then return nil end
    local all = { rows = rows and rows() or 0, calls = 0, cached = 0, truncated = false, sources = {} }
    for i = 1, count do
      local facts = facts_of(infos[i])
      all.sources[i] = facts
      all.calls, all.cached = all.calls + (facts.calls or 0), all.cached + (facts.cached or 0)
      all.truncated = all.truncated or facts.truncated or false
      if not rows then all.rows = all.rows + (facts.rows or 0) end
    end
    return all
  end })
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
    define(host, methods, results, list, take_over, collect, type, joined, spent)
  end
  return methods[name]
end

function methods:list()
  check("Results:list", self)
  if not rawget(self, S) then return self end
  return list((collect(take_over(self))))
end

function methods:at_hand()
  check("Results:at_hand", self)
  local state = rawget(self, S)
  if not state then fail("a list has no next item; read it with ipairs") end
  if state.step ~= state.info then return nil end
  return (state.step(true))
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
  if name == "info" then return facts_of(rawget(self, S).info) end
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

local loading = {}
local loaded = {
  _G = _G, coroutine = coroutine, math = math, os = os, string = string, table = table, utf8 = utf8,
}
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
    tasks = tasks or host.tasks()(host, results, list, take_over, collect, S, type, joined)
    return tasks[name](...)
  end
end

return {
  results = results, list = list, as_step = as_step, next = next, pairs = sorted_pairs, require = require,
  all = later("all"), map = later("map"), merge = later("merge"), answer = later("answer"),
}
