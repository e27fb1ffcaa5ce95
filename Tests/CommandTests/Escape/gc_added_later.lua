-- expect: exit=0 within=3 says="held"
local m = {}
for i = 1, 1000 do setmetatable({}, m) end
m.__gc = function() print("ran") while true do end end
for i = 1, 200000 do local t = {i} end
print("held")
