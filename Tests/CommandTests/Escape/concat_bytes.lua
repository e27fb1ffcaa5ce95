-- expect: exit=6 within=4 says="memory"
local s = ("x"):rep(10000)
local t = {}
for i = 1, 10000 do t[i] = s end
return #table.concat(t)
