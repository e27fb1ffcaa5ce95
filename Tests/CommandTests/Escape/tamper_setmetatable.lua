-- expect: exit=0 within=3 says="held"
setmetatable = error
rawget, type, next, pairs, select = nil
local n = 0
for v in yt.search("programming"):take(2) do n = n + 1 end
assert(n == 2)
print("held")
