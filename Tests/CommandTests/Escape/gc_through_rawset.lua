-- expect: exit=0 within=3 says="held"
local m = {}
local t = setmetatable({}, m)
rawset(m, "__gc", function() while true do end end)
assert(not pcall(setmetatable, t, m))
t = nil
for i = 1, 200000 do local x = {i} end
print("held")
