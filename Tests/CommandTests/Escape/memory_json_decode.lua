-- expect: exit=6|0 within=4 flags="--budget cpu=5s"
local text = "[" .. ("[1,2,3,4],"):rep(1000000) .. "1]"
local value = yt.json.decode(text)
