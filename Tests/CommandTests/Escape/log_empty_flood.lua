-- expect: exit=6 within=3
while true do yt.log("error") end
