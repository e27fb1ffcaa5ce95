-- expect: exit=6|0 within=4
local s = ("é"):rep(4000000)
for i = 1, 100 do yt.text.pad(s, 10000) yt.text.truncate(s, 10000) yt.text.fold(s) end
