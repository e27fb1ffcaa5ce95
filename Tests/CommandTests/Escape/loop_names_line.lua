-- expect: exit=6 within=3 says="loop_names_line.lua:5: the cpu budget"
-- The message names the line.
local n = 0

while true do n = n + 1 end
