-- yt.search: ten rows a to j in pages of four.
local check = require "check"

check.same(check.ids(yt.search("lua")), "abcdefghij")
check.same(check.ids(yt.search("lua", { max = 3 })), "abc")
check.same(check.ids(yt.search("lua", { source = "fake", order = "date", after = "2024-01-01" })), "abcdefghij")
check.same(yt.search("lua", { after = 1700000000 }):count(), 10)
check.same(yt.search("lua", { after = 1700000000.0, literal = true }):count(), 10)
local v = yt.search("lua"):first()
check.same(v.found_in, { { source = "fake", query = "lua" } })

-- Trouble outside is an object with fields.
local ok, problem = pcall(function() return yt.search("lua", { duration = "long" }):list() end)
check.same(ok, false)
check.same(problem.kind, "usage")
check.same(problem.source, "fake")
check.same(problem.message, "the source 'fake' cannot honour --duration")
check.same(problem.status, nil)
check.same(problem.retry_at, nil)
check.same(problem.code, nil)
check.same(problem.invalid_parameters, nil)
check.fails("an error has no field 'cod'; it has kind, source, status, message, retry_at, code, user_message, "
  .. "developer_message, invalid_parameters", function() return problem.cod end)
ok, problem = pcall(function() return yt.search("lua", { source = "fak" }):list() end)
check.same(problem.message, "there is no source 'fak'")

check.fails("bad argument #1 to 'yt.search' (query): string expected, got no value", yt.search)
check.fails("bad argument #2 to 'yt.search' (options): table of options expected, got string",
  yt.search, "lua", "date")
check.fails("bad argument #2 to 'yt.search' (options): unknown option 'ordr'; did you mean 'order'?",
  yt.search, "lua", { ordr = "date" })
check.fails("bad argument #2 to 'yt.search' (options): option 'max': whole number from 1 to 1000000 expected, got 0",
  yt.search, "lua", { max = 0 })
check.fails("bad argument #2 to 'yt.search' (options): option 'max': whole number from 1 to 1000000 expected, got string",
  yt.search, "lua", { max = "5" })
check.fails("bad argument #2 to 'yt.search' (options): option 'order': 'dat' is not one of relevance, date, views, rating, title, videos; did you mean 'date'?",
  yt.search, "lua", { order = "dat" })
check.fails("bad argument #2 to 'yt.search' (options): option 'after': 'soon' is no date; write 2024-07-01, 2024-07-01T12:00:00Z, or an age such as 7d, 2w or 3mo",
  yt.search, "lua", { after = "soon" })
check.fails("bad argument #2 to 'yt.search' (options): option 'after': time (epoch seconds, a date, or an age such as 7d) expected, got boolean",
  yt.search, "lua", { after = true })
check.fails("bad argument #2 to 'yt.search' (options): option 'literal': boolean expected, got string",
  yt.search, "lua", { literal = "yes" })
check.fails("there is no 'yt.serach'; did you mean 'yt.search'?", function() return yt.serach("lua") end)
check.fails("there is no 'yt.frobnicate'; `ythost help api` lists what there is", function() return yt.frobnicate end)
check.same(yt.api, 1)
