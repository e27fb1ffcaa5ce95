-- expect: exit=0 within=3 says="held"
for _, words in ipairs({{"no-such-program"}, {"/etc/passwd"}, {"/tmp"}}) do assert(not pcall(yt.exec, words)) end
print("held")
