-- expect: exit=6 within=4 says="memory" flags="--budget cpu=5s"
-- Sixty tables that are a quintillion when written out.
local t = {}
for i = 1, 60 do t = {t, t} end
yt.json.encode(t)
