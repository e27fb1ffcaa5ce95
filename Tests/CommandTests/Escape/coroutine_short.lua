-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
while true do for i = 1, 100 do coroutine.wrap(function() local x = i * 2 end)() end end
