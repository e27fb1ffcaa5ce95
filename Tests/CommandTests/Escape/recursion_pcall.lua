-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local function f() pcall(f) return 1 + f() end
while true do pcall(f) end
