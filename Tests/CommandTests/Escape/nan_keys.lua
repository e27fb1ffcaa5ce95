-- expect: exit=0 within=3 says="held"
local t = {}
assert(not pcall(function() t[0/0] = 1 end))
pcall(yt.json.encode, {[1.5] = 1, [-0.0] = 2, [1/0] = 3, [true] = 4})
pcall(yt.json.encode, {0/0, 1/0, -1/0})
pcall(yt.video, {title = 0/0, [0/0 == 1] = 2})
pcall(function() for k in yt.pairs({[1/0] = 1, [-1/0] = 2, [true] = 3, [print] = 4}) do end end)
pcall(function() return yt.search("programming"):group(function() return 0/0 end):list() end)
print("held")
