-- expect: exit=0 within=4 says="held"
for _, lie in ipairs({function() return true end, function() return nil end, function() return math.random() < 0.5 end}) do
  local t = {}
  for i = 1, 300 do t[i] = i * 7919 % 301 end
  pcall(table.sort, t, lie)
  assert(#t == 300)
end
print("held")
