-- expect: exit=6 within=2 says="has no grant 'read:"
yt.file.read("secret.txt")
