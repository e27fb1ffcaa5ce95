-- expect: exit=6 within=3 says="the memory budget of 48M is spent"
local t = {}
while true do local n = #t + 1 t[n] = function() return n end end
