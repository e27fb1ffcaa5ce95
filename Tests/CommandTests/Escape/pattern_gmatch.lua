-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
for _ in ("a"):rep(5000):gmatch("(.-)(.-)(.-)b") do end
