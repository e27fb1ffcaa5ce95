-- expect: exit=1 within=2
error({kind = "grant", exit = 0, message = "x"})
