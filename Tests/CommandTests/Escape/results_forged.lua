-- expect: exit=0 within=3 says="held"
local r = yt.search("programming")
for _, name in ipairs({"list", "first", "count", "take", "map", "filter", "concat", "sort", "group", "unique"}) do
  local method = r[name]
  for _, self in ipairs({{}, setmetatable({}, {__index = error}), 1, "x", print, false}) do pcall(method, self, 1) pcall(method, self, print) end
end
print("held")
