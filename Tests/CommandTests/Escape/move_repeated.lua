-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local t = {}
while true do pcall(table.move, t, 1, 9e6 // 1 | 0, 2) end
