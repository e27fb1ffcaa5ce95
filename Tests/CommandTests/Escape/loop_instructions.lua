-- expect: exit=6 within=2 says="the instructions budget" flags="--budget instructions=1000000"
while true do end
