-- expect: exit=6 within=4 says="memory"
return #("x"):rep(1e9 // 1 | 0)
