-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
while true do pcall(table.concat, setmetatable({}, {__len = function() while true do end end})) end
