-- expect: exit=0 within=4 says="held" flags="--budget cpu=3s,memory=200M"
local all = {}
for i = 1, 30000 do
  all[i] = coroutine.wrap(function()
    local x <close> = setmetatable({}, {__close = function() if all[i + 1] then pcall(all[i + 1]) end end})
    coroutine.yield()
    error("now")
  end)
  all[i]()
end
pcall(all[1])
print("held")
