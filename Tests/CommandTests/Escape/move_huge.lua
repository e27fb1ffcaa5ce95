-- expect: exit=1 within=2 says="too many"
table.move({}, 1, 1e9 // 1 | 0, 2)
