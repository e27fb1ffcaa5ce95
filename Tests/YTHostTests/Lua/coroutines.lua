-- Results are read wherever a plugin's code runs: coroutines, comparators, replacements.
local check = require "check"

local step = coroutine.wrap(function()
  for v in yt.search("lua"):filter(function(v) return v.views % 2 == 0 end) do coroutine.yield(v.id) end
end)
local got = {}
for id in step do got[#got + 1] = id end
check.same(table.concat(got), "bdfhj")

-- Methods of a chain may yield themselves.
step = coroutine.wrap(function()
  return yt.search("lua"):map(function(v)
    coroutine.yield(v.id)
    return v
  end):count()
end)
local yielded = {}
repeat
  local value = step()
  yielded[#yielded + 1] = value
until type(value) == "number"
check.same(yielded[1] .. yielded[10], "aj")
check.same(yielded[11], 10)

-- Inside the callbacks of the libraries.
local list = { 3, 1, 2 }
table.sort(list, function(a, b)
  yt.search("lua", { max = 1 }):first()
  return a < b
end)
check.same(list, { 1, 2, 3 })
local text = ("x y"):gsub("%a", function(letter) return letter .. yt.search(letter, { max = 2 }):count() end)
check.same(text, "x2 y2")

-- An error in a coroutine is an error of that coroutine alone.
local thread = coroutine.create(function() return yt.search("lua", { duration = "long" }):first() end)
local ok, problem = coroutine.resume(thread)
check.same(ok, false)
check.same(problem.kind, "usage")
check.same(coroutine.status(thread), "dead")
ok, problem = coroutine.resume(coroutine.create(function() error({ code = 5 }) end))
check.same(problem.code, 5)
