-- expect: exit=1 within=3 says="overflow"
local function f() table.sort({1, 2}, f) end
f()
