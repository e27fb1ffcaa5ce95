-- expect: exit=1 within=3 says="no longer a function"
tostring = nil
setmetatable(_G, {__index = function() while true do end end})
while true do yt.log("debug", {}) end
