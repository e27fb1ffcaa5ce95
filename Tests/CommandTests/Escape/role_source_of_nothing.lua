-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
return {api = 1, search = function() while true do pcall(coroutine.wrap(function() while true do end end)) end end}
