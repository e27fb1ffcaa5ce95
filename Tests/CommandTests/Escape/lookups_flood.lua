-- expect: exit=6 within=3 says="requests budget" flags="--budget requests=5"
while true do pcall(function() return yt.videos{"no id at all"}:first() end) end
