-- expect: exit=0 within=3 says="held"
pcall(string.pack, "!16 i16 s16", 1, "x")
assert(not pcall(string.packsize, ("i16"):rep(100000000 // 1000)) or true)
assert(not pcall(string.unpack, "s8", ("\255"):rep(8)))
pcall(string.unpack, "i4", "abcd", math.mininteger)
print("held")
