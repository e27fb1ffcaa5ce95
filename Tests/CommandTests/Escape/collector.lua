-- expect: exit=0 within=3 says="held"
for _, what in ipairs({"stop", "restart", "step", "incremental", "generational", "setpause", "isrunning"}) do assert(not pcall(collectgarbage, what), what) end
assert(collectgarbage("count") > 0)
print("held")
