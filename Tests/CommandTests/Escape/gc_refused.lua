-- expect: exit=1 within=2 says="'__gc' is not available"
setmetatable({}, {__gc = function() while true do end end})
