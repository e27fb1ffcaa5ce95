-- Results: one pass, lazy chains, and lists with the same methods.
local check = require "check"

local function rows(...)
  local list = {}
  for i, id in ipairs({ ... }) do list[i] = yt.video({ provider = "p", id = id, title = id:upper(), views = #list }) end
  return list
end
local ids = check.ids
local again = "these results were read already; :list() gives a list that can be read again"

-- A single pass.
local r = yt.search("lua")
ids(r)
check.fails(again, ids, r)
check.fails(again, r.list, r)
check.fails(again, r.first, r)
check.fails(again, r.count, r)
check.fails(again, r.filter, r, print)
r = yt.search("lua")
local taken = r:take(2)
check.fails(again, ids, r)
check.same(ids(taken), "ab")
r = yt.search("lua")
for v in r do
  if v.id == "c" then break end
end
check.fails(again, r.list, r)

-- No length, no positions, no pairs, no writes.
r = yt.search("lua")
check.fails("results have no length before they are read; :list() gives a list, :count() counts",
  function() return #r end)
check.fails("results are read once and have no positions; :list() gives a list", function() return r[1] end)
check.fails("read results with `for v in results do`; :list() gives a list for ipairs", pairs, r)
check.fails("results are read once and have no positions; :list() gives a list",
  function() for _ in ipairs(r) do end end)
check.fails("results cannot be changed; :list() gives a list", function() r.x = 1 end)
check.fails("results have no method 'fliter'; did you mean 'filter'?", function() return r.fliter end)
check.fails("a list has no method 'fliter'; did you mean 'filter'?", function() return r:list().fliter end)
check.same(getmetatable(yt.search("lua")), false)
check.same(tostring(yt.search("lua")), "results")

-- Ends.
local list = yt.search("lua"):list()
check.same(#list, 10)
check.same(list[10].id, "j")
check.same(list[11], nil)
check.same(list:list(), list)
check.same(list:count(), 10)
check.same(list:count(), 10)
check.same(list:first().id, "a")
local n = 0
for i, v in ipairs(list) do n = n + i end
check.same(n, 55)
list[#list + 1] = yt.video({ id = "z" })
check.same(list:count(), 11)
table.remove(list)
check.same(yt.search("lua"):count(), 10)
check.same(yt.search("lua"):first().id, "a")
check.same(yt.search("lua"):filter(function() return false end):first(), nil)
check.same(yt.search("lua"):filter(function() return nil end):count(), 0)

-- filter, map, take, skip.
check.same(ids(yt.search("lua"):filter(function(v) return v.views > 7 end)), "hij")
check.same(list:map(function(v) return v.title end):list()[3], "C")
check.same(ids(list:take(0)), "")
check.same(ids(list:take(100)), "abcdefghij")
check.same(ids(list:take(3.0)), "abc")
check.same(ids(list:skip(0):take(1)), "a")
check.same(ids(list:skip(8)), "ij")
check.same(ids(list:skip(10)), "")
check.same(ids(list:skip(100)), "")
check.same(ids(list:skip(2):take(2):skip(1)), "d")
check.fails("the function given to :map returned nil; drop items with :filter",
  function() list:map(function() end):list() end)

-- unique: provider and id, a field, a function; items without a key stay.
local twice = rows("a", "b", "a", "c", "b")
check.same(ids(list:concat(list):unique()), "abcdefghij")
local d = yt.search("lua"):take(0):concat(twice)
check.same(ids(d:unique()), "abc")
check.same(ids(yt.search("lua"):unique(function(v) return v.views % 3 end)), "abc")
check.same(ids(yt.search("lua"):unique("duration")), "abcdefghij")
check.same(ids(yt.search("lua"):take(2):concat(yt.search("lua")):unique("title")), "abcdefghij")
local numbers = yt.search("lua"):map(function(v) return v.views % 4 end):unique():list()
check.same(table.concat(numbers, " "), "1 2 3 0")

-- concat with results, a list, an empty one, itself.
check.same(ids(yt.search("lua"):take(2):concat(rows("x", "y"))), "abxy")
check.same(ids(yt.search("lua"):take(1):concat({}):concat(rows("z"))), "az")
check.same(ids(list:take(1):concat(yt.search("lua"):skip(9))), "aj")
r = yt.search("lua")
check.fails(again, r.concat, r, r)

-- sort and sort_by: stable, unknown last both ways.
local function order(...)
  local made = {}
  for i, pair in ipairs({ ... }) do made[i] = yt.video({ id = pair[1], views = pair[2] }) end
  return yt.search("lua"):take(0):concat(made)
end
local sample = { { "a", 2 }, { "b" }, { "c", 1 }, { "d", 2 }, { "e" }, { "f", 1 } }
local function fresh() return order(table.unpack(sample)) end
check.same(ids(fresh():sort_by("views")), "cfadbe")
check.same(ids(fresh():sort_by("views", "asc")), "cfadbe")
check.same(ids(fresh():sort_by("views", "desc")), "adcfbe")
check.same(ids(fresh():sort_by(function(v) return v.id end, "desc")), "fedcba")
check.same(ids(fresh():sort(function(a, b) return (a.views or 9) < (b.views or 9) end)), "cfadbe")
check.same(ids(fresh():sort(function() return false end)), "abcdef")
check.same(ids(order():sort_by("views")), "")
check.same(ids(order({ "a" }):sort(function() return true end)), "a")
local many = {}
for i = 1, 257 do many[i] = yt.video({ id = tostring(i), views = i % 5 }) end
local sorted = yt.search("lua"):take(0):concat(many):sort_by("views"):list()
for i = 2, #sorted do
  local a, b = sorted[i - 1], sorted[i]
  assert(a.views < b.views or a.views == b.views and tonumber(a.id) < tonumber(b.id))
end

-- group: keys in the order they appear, nil where unknown.
local groups = fresh():group("views"):list()
check.same(#groups, 3)
check.same({ groups[1].key, groups[2].key, groups[3].key }, { 2, nil, 1 })
check.same(ids(groups[1].videos:take(9)), "ad")
check.same(ids(groups[2].videos:take(9)), "be")
check.same(#groups[3].videos, 2)
check.same(order():group("views"):count(), 0)
check.same(fresh():group(function(v) return v.views == nil end):first().key, false)

-- info says how it went.
r = yt.search("lua", { max = 5 })
check.same(r.info, { source = "fake", query = "lua", rows = 0, calls = 0, cached = 0, truncated = false })
local info = r.info
check.same(ids(r:filter(function() return true end)), "abcde")
check.same(r.info, { source = "fake", query = "lua", rows = 5, calls = 2, cached = 0, estimate = 99, next = "3", truncated = true, ended = "limit" })
check.same(info.rows, 0)
r = yt.search("lua"):skip(1)
r:count()
check.same(r.info.ended, "end")
check.same(r.info.calls, 3)
check.same(list:take(1).info, {})

-- Wrong calls.
check.fails("results:filter: called without its results; write it with a colon, results:filter(…)",
  list.filter, print)
check.fails("bad argument #1 to 'results:filter' (keep): function expected, got nil", list.filter, list)
check.fails("bad argument #1 to 'results:map' (change): function expected, got string", list.map, list, "title")
check.fails("bad argument #1 to 'results:take' (n): whole number from 0 expected, got -1", list.take, list, -1)
check.fails("bad argument #1 to 'results:skip' (n): whole number from 0 expected, got number", list.skip, list, 1.5)
check.fails("bad argument #1 to 'results:unique' (key): string or function expected, got boolean",
  list.unique, list, true)
check.fails("bad argument #1 to 'results:sort' (before): function expected, got nil", list.sort, list)
check.fails("bad argument #1 to 'results:sort_by' (field): string or function expected, got nil", list.sort_by, list)
check.fails("bad argument #2 to 'results:sort_by' (direction): 'down' is not one of asc, desc",
  list.sort_by, list, "views", "down")
check.fails("bad argument #2 to 'results:sort_by' (direction): 'dsc' is not one of asc, desc; did you mean 'asc'?",
  list.sort_by, list, "views", "dsc")
check.fails("bad argument #1 to 'results:group' (key): string or function expected, got nil", list.group, list)
check.fails("bad argument #1 to 'results:concat' (other): list or results expected, got nil", list.concat, list)
check.fails("results:list: called without its results; write it with a colon, results:list(…)", list.list)
check.fails("results:first: called without its results; write it with a colon, results:first(…)", list.first, 5)
check.fails("results:count: called without its results; write it with a colon, results:count(…)", list.count, "x")
check.fails("a video has no field 'veiws'; did you mean 'views'?", function() list:sort_by("veiws"):list() end)
