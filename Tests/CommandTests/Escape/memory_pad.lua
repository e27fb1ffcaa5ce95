-- expect: exit=6 within=4 says="memory"
local t = {}
while true do t[#t + 1] = yt.text.pad("x" .. #t, 10000) end
