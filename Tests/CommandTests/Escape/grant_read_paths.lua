-- expect: exit=0 within=3 says="held" flags="--allow read:granted"
assert(yt.file.read("granted/notes.txt") == "notes")
assert(yt.file.read("granted//./notes.txt") == "notes")
for _, path in ipairs({"secret.txt", "granted/../secret.txt", "granted//..//secret.txt", "granted/link.txt", "granted/linked/secret.txt", "granted/sub/../../secret.txt", "./granted/./../secret.txt", "granted2/notes.txt", "granted2/../secret.txt", "granted", "granted/", "granted/.", "", "/", "/etc/passwd", "//etc/passwd", "~/.profile", "file:///etc/passwd", "granted/%2e%2e/secret.txt", "granted/chain.txt"}) do
  assert(not pcall(yt.file.read, path), path) assert(not pcall(yt.file.lines, path), path)
end
print("held")
