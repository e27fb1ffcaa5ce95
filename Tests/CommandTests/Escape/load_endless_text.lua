-- expect: exit=6 within=4
load(function() return "x = 1 " end)
