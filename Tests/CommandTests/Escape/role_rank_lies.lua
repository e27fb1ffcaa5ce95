-- expect: exit=0|1 within=3 words="programming"
return {api = 1, rank = function(a, b) return true end}
