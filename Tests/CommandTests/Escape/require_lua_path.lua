-- expect: exit=0 within=3 says="held"
-- LUA_PATH names the folder of that module.
assert(not pcall(require, "fromenv"))
assert(package == nil)
print("held")
