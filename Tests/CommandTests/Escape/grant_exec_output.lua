-- expect: exit=0 within=4 says="held" flags="--allow exec:yes"
local done = yt.exec({"yes"}, {max = 1000})
assert(done.killed and #done.output < 200000)
print("held")
