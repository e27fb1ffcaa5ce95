-- expect: exit=6 within=9 flags="--budget requests=none,calls=none,cpu=3s,wall=6s"
local keep = {}
while true do keep[#keep + 1] = yt.search("programming"):list() end
