-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local t = setmetatable({}, {__close = function() while true do end end})
for _ in next, {1}, nil, t do while true do end end
