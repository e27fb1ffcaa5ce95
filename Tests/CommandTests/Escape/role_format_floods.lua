-- expect: exit=6 within=3 says="output budget" words="programming"
return {api = 1, format = function(videos, out) while true do pcall(out.write, out, ("x"):rep(1000)) end end}
