-- expect: exit=0 says="held"
for _, value in ipairs{ { {} }, { { 1, 2, 3 } }, { { yt.json.null } }, { { yt.video{ id = "a" }, yt.video{ id = "a" } }, { {} } } } do
  pcall(function() return yt.merge(value):list() end)
end
local own = {}
own[1] = own
pcall(function() return yt.merge(own):list() end)
pcall(function() return yt.merge(setmetatable({}, { __len = function() return 1e9 end, __index = function() return own end })):list() end)
print("held")
