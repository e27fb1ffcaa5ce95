-- Several things at the same time, and what stands in the way of that.
local check = require "check"

-- What each function gives, in order; results are read into lists.
local done = yt.all{
  function() return 1, 2 end,
  function() return yt.search("lua", { max = 3 }) end,
  function() end,
  function() error({ code = 5 }) end,
  function() error("no", 0) end,
}
check.same(#done, 5)
check.same({ done[1].ok, done[1].value }, { true, 1 })
check.same(done[2].value:map(function(v) return v.id end):list()[3], "c")
check.same(#done[2].value, 3)
check.same({ done[3].ok, done[3].value }, { true, nil })
check.same({ done[4].ok, done[4].error.code }, { false, 5 })
check.same(done[5].error, "no")
check.same(#yt.all{}, 0)
check.same(yt.all{ function() return yt.search("lua"):first() end }[1].value.id, "a")

-- A list, results, and positions.
local doubled = yt.map({ 3, 1, 2 }, function(n, i) return n * 10 + i end, { at_once = 2 })
check.same(doubled:map(function(o) return o.value end):list()[1], 31)
check.same(doubled[3].value, 23)
local read = yt.map(yt.search("lua"), function(v) return yt.search(v.id, { max = 2 }):count() end)
check.same(#read, 10)
check.same(read[10].value, 2)

-- A plugin's own generator in a task never sees the host's waiting, and all that it yields comes out.
local function generator(words)
  return coroutine.wrap(function(...)
    local given = ...
    for v in yt.search(words) do given = coroutine.yield(v.id, given) end
    return nil
  end)
end
local function drain(words)
  local step, ids = generator(words), {}
  local id, given = step("first")
  while id do
    ids[#ids + 1] = id .. tostring(given):sub(1, 1)
    id, given = step(#ids)
  end
  return table.concat(ids)
end
for _, outcome in ipairs(yt.all{ function() return drain("x") end, function() return drain("y") end }) do
  check.same(outcome.value, "afb1c2d3e4f5g6h7i8j9")
end

-- With resume, too, and through two of them.
local function deep()
  local inner = coroutine.create(function() return yt.search("lua"):list() end)
  local outer = coroutine.create(function() return select(2, coroutine.resume(inner)) end)
  local ok, list = coroutine.resume(outer)
  return ok and #list == 10 and coroutine.status(outer) == "dead" and coroutine.status(inner) == "dead"
end
check.same(yt.all{ deep, deep }[2].value, true)

-- Where Lua cannot yield, waiting blocks.
local function sorted(words)
  local list = { 3, 1, 2 }
  table.sort(list, function(a, b)
    yt.search(words, { max = 1 }):first()
    return a < b
  end)
  return table.concat(list)
end
local function replaced(words)
  return (("x y"):gsub("%a", function(letter)
    return letter .. #yt.all{ function() return yt.search(words, { max = 2 }):list() end }[1].value
  end))
end
local function added()
  local mark = setmetatable({}, { __add = function() return yt.search("lua"):count() end })
  return mark + 1
end
local blocked = yt.all{
  function() return sorted("x") end, function() return replaced("x") end, added, function() return drain("z") end,
}
check.same(blocked:map(function(o) return o.value end):list()[1], "123")
check.same(blocked[2].value, "x2 y2")
check.same(blocked[3].value, 10)

-- Inside one another.
local nested = yt.all{
  function()
    return yt.all{
      function() return yt.map({ "a", "b" }, function(w) return yt.search(w):count() end) end,
      function() return yt.search("lua"):count() end,
    }
  end,
  function() return yt.search("lua"):count() end,
}
check.same(nested[1].value[1].value[2].value, 10)
check.same(nested[1].value[2].value, 10)
check.same(nested[2].value, 10)

-- What fails is that function's own, and is what the host raised.
local one, two = table.unpack(yt.all{
  function() return yt.search("lua", { duration = "long" }) end,
  function() return pcall(function() return yt.search("lua", { duration = "long" }):first() end) end,
})
check.same({ one.ok, one.error.kind, two.ok, two.value }, { false, "usage", true, false })

-- Who yields out of the function yields to nobody.
local lost = yt.all{ function() coroutine.yield(1) end, function() return coroutine.isyieldable() end }
check.same(lost[1].error, "the function yielded, and nobody takes what it yields")
check.same(lost[2].value, true)

-- A coroutine that waits belongs to the task that resumed it.
local shared = coroutine.create(function() return yt.search("lua"):count() end)
local shares = yt.all{
  function() return select(2, coroutine.resume(shared)) end,
  function() return select(2, coroutine.resume(shared)) end,
}
local others = { [10] = true, ["cannot resume a coroutine that waits for the host; it belongs to another task"] = true,
  ["cannot resume dead coroutine"] = true }
check.same({ shares[1].value, others[shares[2].value] }, { 10, true })

-- Variables are closed, whether a task ends well or not.
local closed = 0
local function close() return setmetatable({}, { __close = function() closed = closed + 1 end }) end
yt.all{
  function() local x <close> = close() return yt.search("lua"):count() end,
  function() local x <close> = close() error("x") end,
  function() local x <close> = close() coroutine.yield() end,
}
check.same(closed, 3)

-- Wrong calls.
check.fails("bad argument #1 to 'yt.all' (functions): list of function expected, got nil", yt.all)
check.fails("bad argument #2 to 'yt.map' (call): function expected, got nil", yt.map, {})
check.fails(
  "bad argument #2 to 'yt.all' (options): option 'at_once': whole number from 1 to 64 expected, got 0", yt.all, {},
  { at_once = 0 })

-- Merged: a row a video, with all that is known.
local first = { yt.video{ provider = "p", id = "1", title = "One", description = "A long description that is cut …" } }
local second = {
  yt.video{ provider = "p", id = "2", title = "Two" },
  yt.video{
    provider = "p", id = "1", title = "1", description = "A long description that is cut nowhere", duration = 5,
    tags = { "t" }, extra = { x = 1 },
  },
}
local merged = yt.merge{ first, second, yt.search("lua", { max = 1 }), yt.search("b", { max = 1 }) }:list()
check.same(#merged, 3)
local v = merged[1]
check.same({ v.title, v.description, v.duration, #v.tags, v.extra.x },
  { "One", "A long description that is cut nowhere", 5, 1, 1 })
check.same({ merged[2].title, merged[3].id, #merged[3].found_in }, { "Two", "a", 2 })
check.same({ merged[3].found_in[1].query, merged[3].found_in[2].query }, { "lua", "b" })
check.same(yt.merge{}:count(), 0)
check.fails("the source 'fake' cannot honour --duration", function()
  yt.merge{ first, yt.search("lua", { duration = "long" }) }:first()
end)
