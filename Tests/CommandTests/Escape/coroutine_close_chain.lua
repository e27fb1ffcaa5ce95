-- expect: exit=0 within=4 says="held" flags="--budget cpu=3s,memory=200M"
-- Each close runs the next one inside it; every coroutine counts its C calls by itself.
local all = {}
for i = 1, 30000 do
  all[i] = coroutine.create(function()
    local x <close> = setmetatable({}, {__close = function() if all[i + 1] then coroutine.close(all[i + 1]) end end})
    coroutine.yield()
  end)
  coroutine.resume(all[i])
end
pcall(coroutine.close, all[1])
print("held")
