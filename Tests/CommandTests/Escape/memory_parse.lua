-- expect: exit=6|1|0 within=4 flags="--budget cpu=3s"
local line = '{"ythost":1,"provider":"youtube","id":"z-j1uxBmis0","title":"' .. ("t"):rep(900) .. '"}\n'
local kept = yt.parse(line:rep(40000)):list()
