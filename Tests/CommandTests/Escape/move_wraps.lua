-- expect: exit=0 within=2 says="held"
assert(not pcall(table.move, {}, math.mininteger, math.maxinteger, 1))
assert(not pcall(table.move, {}, 1, 5, math.maxinteger))
assert(not pcall(table.move, {}, -5, math.maxinteger, 1))
print("held")
