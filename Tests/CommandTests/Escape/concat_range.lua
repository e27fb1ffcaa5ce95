-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
table.concat(setmetatable({}, {__index = function() return "" end}), "", 1, math.maxinteger)
