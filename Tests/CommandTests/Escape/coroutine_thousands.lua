-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
local all = {}
while true do
  for i = 1, 2000 do all[i] = coroutine.create(function() while true do coroutine.yield() end end) end
  for i = 1, 2000 do coroutine.resume(all[i]) end
end
