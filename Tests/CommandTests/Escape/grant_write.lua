-- expect: exit=6 within=2 says="has no grant 'write:"
yt.file.write("new.txt", "x")
