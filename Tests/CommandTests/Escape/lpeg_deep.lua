-- expect: exit=0|1|6 within=5
local lpeg = require("lpeg")
local p = lpeg.P("a")
for i = 1, 20000 do p = #p end
lpeg.match(p, "a")
print("held")
