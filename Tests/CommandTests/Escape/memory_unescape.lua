-- expect: exit=6|0 within=4
yt.html.unescape(("&amp"):rep(5000000))
