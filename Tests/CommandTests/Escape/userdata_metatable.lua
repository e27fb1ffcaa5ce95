-- expect: exit=0 within=3 says="held"
local v = yt.video({title = "x"})
for _, value in ipairs({v, v.channel, yt.json.null, yt.search("programming"), yt.search("programming"):list(), yt.mapper({title = "t"})}) do
  assert(not getmetatable(value), tostring(value))
  assert(not pcall(setmetatable, value, {}))
end
assert(not pcall(function() v.__index = 1 end))
assert(not pcall(function() return v.__gc end))
print("held")
