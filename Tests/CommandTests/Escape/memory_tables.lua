-- expect: exit=6 within=3 says="the memory budget of 48M is spent"
local t = {}
while true do t[#t + 1] = {} end
