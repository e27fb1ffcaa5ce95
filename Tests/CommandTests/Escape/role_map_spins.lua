-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent" words="programming"
return {api = 1, map = function(v) while true do end end}
