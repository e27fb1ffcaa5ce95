-- expect: exit=0 within=4 says="held" flags="--budget cpu=3s,memory=200M"
-- Each close starts to count its C calls anew; deep calls of gsub inside each of them multiply.
local all = {}
for i = 1, 2000 do
  all[i] = coroutine.create(function()
    local x <close> = setmetatable({}, {__close = function()
      local depth = 0
      local function down()
        depth = depth + 1
        if depth < 180 then return (("x"):gsub("x", down)) end
        if all[i + 1] then coroutine.close(all[i + 1]) end
      end
      pcall(down)
    end})
    coroutine.yield()
  end)
  coroutine.resume(all[i])
end
pcall(coroutine.close, all[1])
print("held")
