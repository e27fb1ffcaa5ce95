-- expect: exit=2 within=2 says="cannot be granted" flags="--allow env:YTHOST_YOUTUBE_KEY"
yt.env("YTHOST_YOUTUBE_KEY")
