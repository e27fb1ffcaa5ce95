-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local function again(e) return again(error(e)) end
while true do xpcall(error, again, "x") end
