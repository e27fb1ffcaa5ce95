-- expect: exit=0 within=3 says="held"
pcall(os.date, "%c", math.maxinteger) pcall(os.date, ("%c"):rep(100000), 0)
assert(not pcall(os.date, "%Ez%O", 0))
assert(not pcall(os.time, {year = math.maxinteger, month = 1, day = 1}))
print("held")
