-- expect: exit=6 within=8 says="the cpu budget of 0.3s is spent"
local lpeg = require("lpeg")
local g = lpeg.P({(lpeg.P("a") * lpeg.V(1) * "b" + lpeg.P("a") * lpeg.V(1) * "c" + "a")})
while true do g:match(("a"):rep(60)) end
