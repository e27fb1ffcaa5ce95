-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local function spin() while true do end end
while true do xpcall(spin, spin) end
