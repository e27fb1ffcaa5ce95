-- expect: exit=6 within=6 says="the cpu budget of 0.3s is spent"
while true do ("a "):rep(50000):gsub("%f[%w]%w*%f[%W]", "") end
