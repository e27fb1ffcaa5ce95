-- expect: exit=6 within=2 says="has no grant 'exec:"
yt.exec({"sh", "-c", "id"})
