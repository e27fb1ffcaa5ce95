-- expect: exit=1 within=3 says="xxxxx"
error(("x"):rep(2000000))
