-- expect: exit=1 within=2 says="too long"
table.remove(setmetatable({}, {__len = function() return math.maxinteger end}), 1)
