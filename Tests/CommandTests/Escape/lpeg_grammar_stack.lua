-- expect: exit=0 within=3 says="overflow"
local lpeg = require("lpeg")
local g = lpeg.P({"(" * lpeg.Ct(lpeg.V(1)) * ")" + "x"})
print(pcall(lpeg.match, g, ("("):rep(100000) .. "x" .. (")"):rep(100000)))
