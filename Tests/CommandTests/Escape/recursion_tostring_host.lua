-- expect: exit=1|6 within=3 says="overflow"
local t t = setmetatable({}, {__tostring = function() yt.log("debug", t) return "x" end})
yt.log("debug", t)
