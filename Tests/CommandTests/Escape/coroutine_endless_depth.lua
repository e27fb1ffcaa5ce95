-- expect: exit=1 within=3 says="overflow"
local function deep() return coroutine.wrap(deep)() end
deep()
