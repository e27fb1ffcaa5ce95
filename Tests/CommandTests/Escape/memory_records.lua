-- expect: exit=6 within=4 says="memory" flags="--budget cpu=3s"
local t = {}
while true do t[#t + 1] = yt.video({title = ("x"):rep(1000)}) end
