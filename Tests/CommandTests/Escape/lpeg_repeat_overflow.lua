-- expect: exit=0 within=3 says="held"
local lpeg = require("lpeg")
for _, n in ipairs({(1 << 30) - 1, 1 << 30, (1 << 31) - 1, -(1 << 30), math.mininteger, 1 << 20, "1073741823"}) do
  for _, p in ipairs({lpeg.P("abcd"), lpeg.P("a"), lpeg.P(("x"):rep(1000))}) do assert(not pcall(function() return p ^ n end), n) end
end
local operators = getmetatable(lpeg.P("x"))
for _, n in ipairs({1 << 30, 65536}) do
  assert(not pcall(operators.__pow, 65536, n)) assert(not pcall(operators.__pow, ("x"):rep(100000), n)) assert(not pcall(operators.__pow, {"x"}, n))
end
print("held")
