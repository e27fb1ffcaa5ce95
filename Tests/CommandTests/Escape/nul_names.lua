-- expect: exit=0 within=3 says="held" flags="--allow read:granted --allow write:granted --allow env:HOME --allow exec:echo"
for _, name in ipairs({"secret.txt\0", "granted/..\0", "granted/../secret.txt\0", "granted/notes.txt\0", "granted/\0/../secret.txt", "\0"}) do
  assert(not pcall(yt.file.read, name), name) assert(not pcall(yt.file.write, name, "x"), name) assert(not pcall(yt.file.lines, name), name)
end
assert(not pcall(yt.env, "HOME\0")) assert(not pcall(yt.exec, {"echo\0"})) assert(not pcall(yt.exec, {"\0echo"}))
print("held")
