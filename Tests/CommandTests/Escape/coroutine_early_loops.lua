-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local early = coroutine.create(function() coroutine.yield() while true do end end)
coroutine.resume(early)
while true do coroutine.resume(early) end
