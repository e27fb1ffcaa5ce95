-- expect: exit=6 says="budget"
while true do pcall(yt.map, setmetatable({}, { __index = function() return 1 end }), function(x) return x end) end
