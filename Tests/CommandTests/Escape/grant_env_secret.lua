-- expect: exit=0 within=3 says="held"
for _, name in ipairs({"YTHOST_YOUTUBE_KEY", "ythost_youtube_key", "YTHOST", "YTHOST_YOUTUBE_KEY\0", "\0YTHOST_YOUTUBE_KEY", "YTHOST_YOUTUBE_KEY=", " YTHOST_YOUTUBE_KEY"}) do assert(not pcall(yt.env, name), name) end
print("held")
