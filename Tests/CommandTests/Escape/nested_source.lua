-- expect: exit=0 within=3 says="held"
assert(not load("return " .. ("("):rep(100000) .. "1" .. (")"):rep(100000)))
assert(not load(("{"):rep(100000)))
assert(not load("x = " .. ("-"):rep(100000) .. "1"))
assert(not load(("do "):rep(100000)))
print("held")
