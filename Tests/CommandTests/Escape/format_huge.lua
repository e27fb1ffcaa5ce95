-- expect: exit=0 within=3 says="held"
assert(not pcall(string.format, "%1000000d", 1))
assert(not pcall(string.format, "%.1000000f", 1))
assert(not pcall(string.format, ("%d"):rep(100000)))
assert(#string.format("%99.99f", 1e308) > 300)
print("held")
