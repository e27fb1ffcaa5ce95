-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local lpeg = require("lpeg")
while true do pcall(lpeg.match, lpeg.Cmt(lpeg.P("a"), function() while true do end end), "a") end
