-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local spin = function() while true do end end
local t = setmetatable({}, {__index = spin, __newindex = spin, __len = spin, __eq = spin, __lt = spin, __concat = spin, __call = spin})
while true do pcall(function() return t.x end) pcall(function() t.x = 1 end) pcall(function() return #t end) end
