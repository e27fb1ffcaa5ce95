-- expect: exit=0 within=3 says="held"
local t = {}
for i = 1, 1000 do t[i] = i * 7919 % 1009 end
pcall(table.sort, t, function(a, b) for i = 1, 10 do t[#t] = nil end collectgarbage() return (a or 0) < (b or 0) end)
print("held")
