-- expect: exit=0 within=3 says="held"
local t = {} t.t = t t[1] = t
assert(not pcall(yt.json.encode, t))
assert(not pcall(yt.video, {title = "x", extra = t}))
assert(not pcall(yt.mapper, {a = t}))
pcall(yt.csv.row, t) pcall(yt.needs, t)
local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a})
assert(not pcall(function() return a.x end))
print("held")
