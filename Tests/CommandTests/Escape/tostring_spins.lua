-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
print(setmetatable({}, {__tostring = function() while true do end end}))
