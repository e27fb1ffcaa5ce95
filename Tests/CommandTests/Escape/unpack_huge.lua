-- expect: exit=1 within=2 says="too many results"
table.unpack({}, 1, 1e8 // 1 | 0)
