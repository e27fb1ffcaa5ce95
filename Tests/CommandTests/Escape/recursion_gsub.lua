-- expect: exit=1 within=3 says="overflow"
local function f() return (("x"):gsub("x", f)) end
f()
