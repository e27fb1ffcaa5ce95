-- expect: exit=0 within=3 says="held" flags="--allow exec:ls"
local out = yt.exec({"ls", "/proc/self/fd"}).output
assert(not out:find("[4-9]") and not out:find("%d%d"), out)
print("held")
