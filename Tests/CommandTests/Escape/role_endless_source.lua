-- expect: exit=6 within=3 says="budget"
return {api = 1, search = function() return function() return yt.video({title = "x"}) end end}
