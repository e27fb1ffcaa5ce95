-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent" words="programming"
return {api = 1, filter = function(v) pcall(function() while true do end end) return true end}
