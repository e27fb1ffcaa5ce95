-- expect: exit=1 within=2 says="'__gc' is not available"
local m = {__gc = true}
setmetatable({}, m)
m.__gc = function() while true do end end
