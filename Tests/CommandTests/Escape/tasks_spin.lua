-- expect: exit=6 says="the cpu budget"
while true do
  pcall(yt.all, { function() while true do pcall(error, "x") end end, function() while true do end end })
end
