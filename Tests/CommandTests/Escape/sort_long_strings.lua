-- expect: exit=6 within=8 says="the cpu budget of 0.3s is spent"
-- Each comparison is ten megabytes long, in C.
local s = ("x"):rep(10000000)
local t = {}
for i = 1, 100000 do t[i] = s end
table.sort(t)
