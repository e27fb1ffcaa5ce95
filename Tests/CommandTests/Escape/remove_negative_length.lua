-- expect: exit=0 within=3 says="held"
pcall(table.remove, setmetatable({}, {__len = function() return math.mininteger end}), 1)
pcall(table.insert, setmetatable({}, {__len = function() return math.mininteger end}), 1)
print("held")
