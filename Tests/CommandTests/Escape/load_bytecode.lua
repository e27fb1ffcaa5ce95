-- expect: exit=0 within=3 says="held"
assert(not load("\27Lua\84\0\25\147\r\n\26\n")) 
assert(not pcall(load, "return 1", "x", "b"))
local f, e = load("\27Lua", "x", "bt") assert(not f, "loaded")
assert(string.dump == nil and ("").dump == nil)
print("held")
