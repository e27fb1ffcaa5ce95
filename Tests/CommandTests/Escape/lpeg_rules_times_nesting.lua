-- expect: exit=0 within=4 says="held" flags="--budget cpu=3s,memory=200M"
-- Captures nest once a level of a rule and once a call of it.
local lpeg = require("lpeg")
local function nested(inner, wrap, times)
  for _ = 1, times do inner = wrap(inner) end
  return inner
end
for _, wrap in ipairs{lpeg.C, lpeg.Ct, lpeg.Cs, lpeg.Cg, function(p) return p / "%0" end, function(p) return p / print end} do
  pcall(function()
    local g = lpeg.P{nested(lpeg.P("(") * (lpeg.V(1) + "x") * lpeg.P(")")^-1, wrap, 2000)}
    return lpeg.match(g, ("("):rep(380) .. "x" .. (")"):rep(380))
  end)
end
-- Rules in a row, each of them deep.
local ok, problem = pcall(function()
  local rules = {}
  for i = 1, 190 do rules[i] = nested(i < 190 and lpeg.V(i + 1) or lpeg.P("a"), function(p) return #p end, 1500) end
  return lpeg.match(lpeg.P(rules), "a")
end)
assert(not ok and problem:find("too deep"), problem)
print("held")
