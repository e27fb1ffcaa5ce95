-- expect: exit=1|6 within=3
error(setmetatable({}, {__tostring = function() while true do end end}))
