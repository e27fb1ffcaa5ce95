-- expect: exit=0 within=3 says="held" flags="--allow write:granted"
yt.file.write("granted/new.txt", "x")
for _, path in ipairs({"new.txt", "granted/../new.txt", "granted/link.txt", "granted/linked/new.txt", "granted2/new.txt", "granted", "granted/", "granted/.", "granted/..", "granted/none/new.txt", "/tmp/../etc/new"}) do
  assert(not pcall(yt.file.write, path, "x"), path)
end
pcall(yt.file.write, "granted/dangling", "x")
assert(not pcall(yt.file.read, "granted/new.txt"))
print("held")
