-- expect: exit=6 within=3 says="the wall budget" flags="--allow exec:sleep --budget wall=0.5s"
yt.exec({"sleep", "30"}, {timeout = 3600})
while true do end
