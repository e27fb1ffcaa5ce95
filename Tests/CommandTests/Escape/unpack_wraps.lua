-- expect: exit=0 within=3 says="held"
assert(not pcall(table.unpack, {}, math.mininteger, math.maxinteger))
assert(not pcall(table.unpack, {}, 0, math.maxinteger))
print("held")
