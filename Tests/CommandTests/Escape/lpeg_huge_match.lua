-- expect: exit=6 within=8 says="the cpu budget of 0.3s is spent"
local lpeg = require("lpeg")
local p = (lpeg.P(1) - (lpeg.P("a")^0 * "b"))^0
p:match(("a"):rep(3000000))
