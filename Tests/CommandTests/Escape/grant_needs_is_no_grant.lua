-- expect: exit=6 within=2 says="has no grant"
yt.needs({"read:secret.txt", "exec:sh"})
yt.file.read("secret.txt")
