-- expect: exit=0 within=3 says="held" flags="--allow exec:env"
local out = yt.exec({"env"}).output
assert(not out:find("MARK") and not out:find("YTHOST") and out:find("HOME=/nonexistent"), out)
print("held")
