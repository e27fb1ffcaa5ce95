-- expect: exit=0 within=3 says="held"
local r = yt.search("programming")
local key, state = next(r)
assert(type(state) == "table")
for _, bad in ipairs({1, "x", true, {}, print}) do
  state.step, state.used = bad, nil
  pcall(function() return r:first() end)
  state.used = nil
  pcall(function() for v in r do break end end)
end
rawset(r, key, nil)
pcall(function() return r:first() end) pcall(function() return r:list() end) pcall(r) pcall(function() return r.info end)
rawset(r, key, 5)
pcall(function() return r:first() end) pcall(function() return r:list() end) pcall(r) pcall(function() return r.info end)
print("held")
