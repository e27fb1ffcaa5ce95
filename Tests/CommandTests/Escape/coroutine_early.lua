-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local early = coroutine.create(function() while true do pcall(coroutine.yield) end end)
for i = 1, 10 do coroutine.resume(early) end
while true do coroutine.resume(early) end
