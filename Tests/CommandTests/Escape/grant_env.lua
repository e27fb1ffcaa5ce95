-- expect: exit=6 within=2 says="has no grant 'env:HOME'"
yt.env("HOME")
