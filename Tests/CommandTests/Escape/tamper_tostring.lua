-- expect: exit=0 within=3 says="held"
tostring = nil
assert(not pcall(print, {}))
tostring = function() return {} end
assert(not pcall(print, {}))
tostring = function() return print end
assert(not pcall(yt.log, "error", {}))
print("held")
