-- expect: exit=6 within=4 says="memory" flags="--budget cpu=5s"
local kept = {}
while true do kept[#kept + 1] = yt.csv.row({("x"):rep(100000) .. #kept}) end
