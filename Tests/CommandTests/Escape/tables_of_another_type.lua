-- expect: exit=0 within=3 says="held"
local v = yt.video({title = "x"})
local m = yt.mapper({title = "t"})
assert(not pcall(v.get, m, "title"))
assert(not pcall(v.get, yt.json.null, "title"))
assert(not pcall(v.get, {}, "title"))
assert(not pcall(m.read, v, "{}"))
assert(not pcall(v.table))
print("held")
