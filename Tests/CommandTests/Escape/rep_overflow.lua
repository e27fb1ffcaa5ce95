-- expect: exit=0 within=2 says="too large"
print(pcall(string.rep, "xx", math.maxinteger))
print(pcall(string.rep, "x", math.maxinteger, "yyy"))
