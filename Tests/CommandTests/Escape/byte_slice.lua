-- expect: exit=0 within=3 says="held"
local s = ("x"):rep(20000000)
assert(not pcall(string.byte, s, 1, -1))
assert(not pcall(string.byte, s, math.mininteger, math.maxinteger))
print("held")
