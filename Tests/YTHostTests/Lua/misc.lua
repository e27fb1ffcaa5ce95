-- yt.pairs, yt.log, yt.needs.
local check = require "check"

local keys = {}
for key, value in yt.pairs({ b = 1, a = 2, [3] = 3, [1] = 4, [2.5] = 5 }) do keys[#keys + 1] = key .. "=" .. value end
check.same(keys, { "1=4", "2.5=5", "3=3", "a=2", "b=1" })
for _ in yt.pairs({}) do error("nothing to visit") end
check.fails("bad argument #1 to 'yt.pairs' (table): table expected, got nil", yt.pairs)
check.fails("bad argument #1 to 'yt.pairs' (table): table expected, got string", yt.pairs, "a")
check.fails("bad argument #1 to 'yt.pairs' (table): table expected, got userdata", yt.pairs, yt.video({}))
check.fails("read results with `for v in results do`; :list() gives a list for ipairs", yt.pairs, yt.search("lua"))

check.same(select("#", yt.log("debug", "a", nil, 1, true)), 0)
check.same(select("#", yt.log("debug")), 0)
check.fails("bad argument #1 to 'yt.log' (level): one of error, warning, info, debug expected, got no value", yt.log)
check.fails("bad argument #1 to 'yt.log' (level): 'warn' is not one of error, warning, info, debug",
  yt.log, "warn", "x")
check.fails("bad argument #1 to 'yt.log' (level): 'inof' is not one of error, warning, info, debug; did you mean 'info'?",
  yt.log, "inof", "x")

check.same(select("#", yt.needs({ "search" })), 0)
check.fails("bad argument #1 to 'yt.needs' (grants): list of string expected, got string", yt.needs, "search")
check.fails("bad argument #1 to 'yt.needs' (grants): at 1: string expected, got table", yt.needs, { {} })
check.fails("bad argument #1 to 'yt.options' (options): table expected, got no value", yt.options)
