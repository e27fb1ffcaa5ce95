-- expect: exit=6 within=2 says="the wall budget of 0.4s is spent" flags="--budget cpu=none,wall=0.4s"
while true do end
