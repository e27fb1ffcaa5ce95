-- expect: exit=0|1|2 within=3 words="programming"
return setmetatable({api = 1}, {__index = function() while true do end end})
