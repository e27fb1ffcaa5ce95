-- expect: exit=6 within=4 says="memory" flags="--budget cpu=5s"
local t = {}
for i = 1, 200000 do t[i] = "key" .. i end
local kept = {}
while true do kept[#kept + 1] = yt.json.encode({t, t, t, t}) end
