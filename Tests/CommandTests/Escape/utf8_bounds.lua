-- expect: exit=0 within=3 says="held"
assert(not pcall(utf8.char, -1)) assert(not pcall(utf8.char, 1 << 40))
pcall(utf8.codepoint, ("x"):rep(10000000), 1, -1)
pcall(utf8.offset, "x", math.mininteger, math.maxinteger)
pcall(utf8.len, "x", math.mininteger)
print("held")
