-- expect: exit=0 within=3 says="held"
assert(getmetatable("") == false)
assert(not pcall(setmetatable, "", {}))
assert(not pcall(function() getmetatable("").__index = {} end))
string.rep = function() return "changed" end
string.format = nil
assert(("x"):rep(2) == "xx" and ("%d"):format(1) == "1")
print("held")
