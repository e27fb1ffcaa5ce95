-- expect: exit=0 within=3 says="held" flags="--allow exec:cat"
assert(yt.exec({"cat"}, {input = ("x"):rep(300000)}).output == ("x"):rep(300000))
assert(yt.exec({"cat"}).output == "")
print("held")
