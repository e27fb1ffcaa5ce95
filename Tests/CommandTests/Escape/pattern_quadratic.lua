-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
string.find(("a"):rep(2000000), ".-b")
