-- expect: exit=6 within=4 says="memory"
while true do pcall(string.rep, "x", 1 << 28) end
