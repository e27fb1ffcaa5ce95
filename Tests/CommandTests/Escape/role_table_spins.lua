-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent" words="programming"
return setmetatable({}, {__index = function() while true do end end, __pairs = function() while true do end end, __len = function() while true do end end, __tostring = function() while true do end end, api = 1}) and (function() while true do end end)()
