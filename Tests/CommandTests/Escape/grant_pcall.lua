-- expect: exit=0 within=3 says="held"
for i = 1, 50 do
  assert(not pcall(yt.file.read, "secret.txt"))
  assert(not pcall(coroutine.wrap(function() yt.file.read("secret.txt") end)))
  assert(not pcall(yt.env, "HOME")) assert(not pcall(yt.exec, {"id"})) assert(not pcall(yt.file.write, "x", "x"))
end
print("held")
