-- expect: exit=6 within=6 says="role_filter_spins.lua:2: the cpu budget" words="programming"
return {api = 1, filter = function(v) while true do end end}
