-- expect: exit=0 within=3 says="held"
for _, name in ipairs({"..secret", "../secret", "/etc/passwd", "./secret", "a/../../secret", "lib/../secret", "secret.lua", "%2e%2e", "secret\0", "", ".", "..", ("a."):rep(50) .. "b", ("a"):rep(2000000), "yt/gallery"}) do
  assert(not pcall(require, name), #name < 100 and name or "long")
end
assert(not pcall(require)) assert(not pcall(require, {})) assert(not pcall(require, 0/0))
print("held")
