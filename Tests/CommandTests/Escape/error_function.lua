-- expect: exit=1 within=2 not="0x"
error(print)
