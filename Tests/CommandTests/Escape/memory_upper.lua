-- expect: exit=6 within=4 says="memory"
local t = {}
local s = ("x"):rep(1000000)
while true do t[#t + 1] = (s .. #t):upper() end
