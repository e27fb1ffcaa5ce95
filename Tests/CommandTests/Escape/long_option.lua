-- expect: exit=1|2|0 within=3 flags="--budget cpu=1s"
local ok, e = pcall(yt.options, {[("x"):rep(2000000)] = {type = "string", default = ("y"):rep(2000000)}})
error(e)
