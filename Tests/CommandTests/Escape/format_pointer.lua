-- expect: exit=0 within=3 says="held"
for _, f in ipairs({"%p", "%10p", "%-5p", "%%%p", "%s%p", "%.3p"}) do assert(not pcall(string.format, f, {}, {})) end
print("held")
