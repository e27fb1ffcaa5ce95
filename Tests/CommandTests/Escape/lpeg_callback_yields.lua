-- expect: exit=0 within=3 says="held"
local lpeg = require("lpeg")
assert(not pcall(coroutine.wrap(function() lpeg.match(lpeg.P("a") / coroutine.yield, "a") end)) or true)
print("held")
