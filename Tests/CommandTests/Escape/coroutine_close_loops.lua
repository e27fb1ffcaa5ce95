-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
while true do
  local co = coroutine.create(function()
    local x <close> = setmetatable({}, {__close = function() while true do end end})
    coroutine.yield()
  end)
  coroutine.resume(co)
  coroutine.close(co)
end
