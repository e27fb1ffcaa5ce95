-- expect: exit=1 within=2 not="root:"
load("error('boom')", "@/etc/passwd")()
