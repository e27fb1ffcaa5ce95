-- expect: exit=1|6 within=3
local function f() return yt.search("x"):map(function() return f() end):first() end
local function g() for a in yt.pairs({1}) do g() end end
g()
