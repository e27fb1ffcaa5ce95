-- expect: exit=6|1 within=4 flags="--budget cpu=3s"
local line = '{"ythost":1,"provider":"youtube","id":"z-j1uxBmis0","title":"' .. ("t"):rep(900) .. '"}\n'
local kept = {}
while true do kept[#kept + 1] = assert(yt.parse(line:rep(1000))):list() end
