-- expect: exit=1 within=2 says="boom"
load("error('boom')", "=[ythost]")()
