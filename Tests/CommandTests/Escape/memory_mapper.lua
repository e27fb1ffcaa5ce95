-- expect: exit=6|1|0 within=4
local fields = {}
for i = 1, 200000 do fields["f" .. i] = "a.b.c" end
yt.mapper(fields)
