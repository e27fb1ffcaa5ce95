-- expect: exit=0 within=3 says="held"
local t = {}
for i = 1, 100000 do t = {t} end
assert(not pcall(yt.json.encode, t))
assert(not pcall(yt.video, {title = "x", extra = t}))
pcall(yt.mapper, t) pcall(yt.mapper, {x = t})
pcall(yt.options, t)
assert(yt.json.decode(("["):rep(100000)) == nil)
pcall(yt.json.decode, ("["):rep(1000) .. ("]"):rep(1000))
print("held")
