-- expect: exit=0 within=3 says="held"
local lpeg = require("lpeg")
for _, name in ipairs({"setmaxstack", "ptree", "pcode"}) do assert(lpeg[name] == nil and lpeg.P("x")[name] == nil, name) end
local m = getmetatable(lpeg.P("x"))
assert(m.__index == nil and m.__gc == nil)
m.__mul = error
assert(lpeg.P("a") * "b")
print("held")
