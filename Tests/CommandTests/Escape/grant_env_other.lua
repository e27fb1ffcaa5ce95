-- expect: exit=0 within=2 says="held" flags="--allow env:HOME"
assert(yt.env("HOME"))
for _, name in ipairs({"PATH", "HOME2", "HOM", "home", "HOME ", "*", "", "YTHOST_YOUTUBE_KEY"}) do assert(not pcall(yt.env, name), name) end
print("held")
