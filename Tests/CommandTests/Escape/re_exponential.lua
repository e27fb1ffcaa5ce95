-- expect: exit=6 within=8 says="the cpu budget of 0.3s is spent"
local re = require("re")
local p = re.compile("s <- 'a' s 'b' / 'a' s 'c' / 'a'")
while true do p:match(("a"):rep(40)) end
