-- expect: exit=6 within=3 says="the output budget of 1M is spent"
while true do coroutine.resume(coroutine.create(function() print(("x"):rep(1000)) end)) end
