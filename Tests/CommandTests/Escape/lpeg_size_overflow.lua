-- expect: exit=0 within=3 says="held"
-- lpeg counts the nodes of a pattern in an int; where that overflows it writes beyond its memory.
local lpeg = require("lpeg")
local worst = {-2147483647, -2147483648, 2147483647, 1 << 30, -(1 << 30), 1 << 31, 1 << 32, math.mininteger, math.maxinteger, -1e300, 1e300}
for _, n in ipairs(worst) do
  for _, f in ipairs({lpeg.P, lpeg.C, lpeg.Ct, lpeg.Cs, lpeg.B, lpeg.Cg}) do assert(not pcall(f, n), n) end
  assert(not pcall(lpeg.Cmt, n, print)) assert(not pcall(lpeg.Cf, n, print)) assert(not pcall(lpeg.match, n, "x"))
  assert(not pcall(function() return lpeg.P("a") * n end)) assert(not pcall(function() return n * lpeg.P("a") end))
  assert(not pcall(function() return lpeg.P("a") + n end)) assert(not pcall(function() return n + lpeg.P("a") end))
  assert(not pcall(function() return lpeg.P("a") - n end)) assert(not pcall(function() return n - lpeg.P("a") end))
  assert(not pcall(lpeg.P, {n})) assert(not pcall(lpeg.P, {"a", a = n})) assert(not pcall(lpeg.match, {n}, "x"))
end
print("held")
