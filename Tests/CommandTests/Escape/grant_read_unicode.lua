-- expect: exit=0 within=3 says="held" flags="--allow read:café"
-- The same word to Swift, another folder to the system.
assert(yt.file.read("caf\u{e9}/notes.txt") == "notes")
assert(not pcall(yt.file.read, "cafe\u{301}/notes.txt"))
print("held")
