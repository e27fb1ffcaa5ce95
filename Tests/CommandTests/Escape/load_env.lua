-- expect: exit=0 within=3 says="held"
local e = {} local f = load("x = 1 return io, os, debug, _G", "n", "t", e)
assert(select("#", f()) == 4 and f() == nil and e.x == 1)
assert(load("return _ENV")() == _G)
print("held")
