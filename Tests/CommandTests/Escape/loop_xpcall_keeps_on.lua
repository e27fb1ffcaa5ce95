-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local function go() xpcall(function() while true do end end, function() go() end) go() end
while true do pcall(go) end
