-- expect: exit=6 says="budget"
-- Tasks without end, each in the next one.
local function again() return yt.all{ again, again } end
while true do pcall(again) end
