-- expect: exit=1 within=2 says="boom"
local function f(n) if n == 0 then error("boom") end f(n - 1) return 1 end
f(10000)
