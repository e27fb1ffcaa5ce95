-- expect: exit=0 within=2 says="too complex"
print(pcall(string.find, ("a"):rep(100000), ("a?"):rep(100000) .. "b"))
