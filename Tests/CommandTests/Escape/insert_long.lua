-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local t = setmetatable({}, {__len = function() return 9000000 end})
while true do pcall(table.insert, t, 1, nil) end
