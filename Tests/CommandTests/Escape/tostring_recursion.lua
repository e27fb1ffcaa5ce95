-- expect: exit=1|6 within=3 says="overflow"
local t t = setmetatable({}, {__tostring = function() return print(t) end})
print(t)
