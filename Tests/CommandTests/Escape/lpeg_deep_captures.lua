-- expect: exit=0|1|6 within=4
local lpeg = require("lpeg")
local p = lpeg.P("a")
for i = 1, 5000 do p = lpeg.C(p) end
print(pcall(lpeg.match, p, "a"))
