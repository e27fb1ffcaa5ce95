-- expect: exit=6 within=4 says="memory" flags="--budget cpu=5s"
return #yt.html.escape(('"'):rep(20000000))
