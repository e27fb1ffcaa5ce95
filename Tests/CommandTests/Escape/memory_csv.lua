-- expect: exit=6 within=4 says="memory" flags="--budget cpu=5s"
local s = ('"'):rep(1000000)
local row = {}
for i = 1, 1000 do row[i] = s end
return #yt.csv.row(row)
