-- expect: exit=1 within=3 says="stack overflow" flags="--budget memory=256M,cpu=2s"
local function f() return 1 + f() end
f()
