-- expect: exit=0 within=3 says="held"
assert(not pcall(require, "loops"))
print("held")
