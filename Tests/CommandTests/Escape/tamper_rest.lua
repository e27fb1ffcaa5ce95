-- expect: exit=0 within=3 says="held"
local real = type
type = function() error("taken") end
error, load, next = nil
local r = yt.search("programming"):skip(1):first()
assert(r)
print("held")
