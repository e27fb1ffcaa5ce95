-- expect: exit=6 within=4 says="memory"
local s = "x"
while true do s = s .. s end
