-- expect: exit=6 within=3 says="the output budget of 1M is spent"
print(("x"):rep(10000000))
