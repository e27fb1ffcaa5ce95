-- expect: exit=6 within=3
while true do pcall(yt.log, "debug", ("x"):rep(1000)) end
