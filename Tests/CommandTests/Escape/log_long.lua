-- expect: exit=0 within=3 says="held"
yt.log("error", ("x"):rep(2000000))
print("held")
