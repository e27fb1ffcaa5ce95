-- expect: exit=0 within=4 says="held" flags="--budget cpu=3s,memory=200M"
-- A match inside of a capture, which is inside of others, again and again.
local lpeg = require("lpeg")
local again
local p = lpeg.P("a") / function() return again() end
for _ = 1, 5000 do p = lpeg.Ct(p) end
function again() return lpeg.match(p, "a") end
print(pcall(again))
print("held")
