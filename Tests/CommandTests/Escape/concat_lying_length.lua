-- expect: exit=1 within=2 says="too long"
table.concat(setmetatable({}, {__len = function() return math.maxinteger end}))
