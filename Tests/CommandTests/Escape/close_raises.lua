-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
while true do pcall(function() local x <close> = setmetatable({}, {__close = error}) while true do end end) end
