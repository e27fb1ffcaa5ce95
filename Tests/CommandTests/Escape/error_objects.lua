-- expect: exit=0 within=3 says="held"
local ok, e = pcall(yt.log, "nope")
assert(not ok)
local ok2, e2 = pcall(yt.file.read, "x")
assert(not ok2)
assert(not getmetatable(e2))
pcall(function() e2.kind = "x" end) pcall(function() e2.message = nil end)
for _, value in ipairs({false, {}, print, coroutine.create(print), 1/0, 0/0, e2}) do pcall(error, value) end
pcall(error) pcall(error, nil)
pcall(error, "x", math.maxinteger) pcall(error, "x", math.mininteger)
print("held")
