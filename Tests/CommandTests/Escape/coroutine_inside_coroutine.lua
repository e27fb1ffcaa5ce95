-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local function deep(n) return coroutine.wrap(function() if n > 0 then deep(n - 1) end while true do pcall(function() while true do end end) end end)() end
deep(50)
