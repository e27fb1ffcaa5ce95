-- expect: exit=1 within=2 says="boom"
print(setmetatable({}, {__tostring = function() error("boom") end}))
