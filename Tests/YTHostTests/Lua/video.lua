-- Records: every field is readable, unknown is nil, a misspelt name is an error.
local check = require "check"

local fields = {
  "provider", "id", "kind", "url", "title", "description", "channel", "published", "duration", "views", "likes",
  "comments", "live", "live_state", "starts", "short", "short_evidence", "tags", "category", "language", "license",
  "definition", "captions", "embeddable", "availability", "regions", "thumbnails", "found_in", "score", "raw",
}
local empty = yt.video({})
for _, name in ipairs(fields) do
  if name == "kind" then
    check.same(empty.kind, "video")
  elseif name == "channel" then
    check.same(tostring(empty.channel), "unknown channel")
  else
    check.same(empty[name], nil)
    check.same(empty:get(name), nil)
    check.same(empty:get(name, 7), 7)
  end
end
check.same({ empty.channel.id, empty.channel.title, empty.channel.url }, {})
check.same(yt.json.encode(empty.extra), "{}")

local v = yt.video({
  provider = "youtube", id = "jNQXAC9IVRw", title = "Me at the zoo", duration = 19, published = 1114313512, views = 0,
  tags = { "a", "b" }, channel = { title = "jawed" }, live = false, regions = { blocked = { "de" } },
  thumbnails = { default = { url = "https://example.org/x.jpg", width = 120 } }, extra = { mine = { 1, 2 } },
})
check.same(v.url, "https://www.youtube.com/watch?v=jNQXAC9IVRw")
check.same(v.views, 0)
check.same(v.tags, { "a", "b" })
check.same(v.live, false)
check.same(v.thumbnails.default.width, 120)
check.same(v.channel.title, "jawed")
check.same(v.extra.mine, { 1, 2 })
check.same(v:get("views", 5), 0)
check.same(v:get("live", true), false)
check.same(v:get("channel").title, "jawed")
check.same(v:get("likes", "none"), "none")
check.same(tostring(v), "Me at the zoo https://www.youtube.com/watch?v=jNQXAC9IVRw")
check.same(tostring(empty), "")
check.same(tostring(yt.video({ id = "x" })), "x")
check.same({ v:playable_in("DE"), v:playable_in("fr"), empty:playable_in("DE") }, { false, true })
check.same(yt.video({ regions = { allowed = { "DE" } } }):playable_in("US"), false)

-- pairs and table() give what is known.
local seen = {}
for name, value in pairs(v) do seen[name] = value end
check.same(seen, v:table())
check.same(seen.title, "Me at the zoo")
check.same(seen.likes, nil)
check.same(seen.extra, { mine = { 1, 2 } })
check.same(yt.video({ id = "x" }):table(), { id = "x", kind = "video" })
local parts = {}
for name, value in pairs(v.channel) do parts[name] = value end
check.same(parts, { title = "jawed" })

check.fails("a video has no field 'titel'; did you mean 'title'?", function() return v.titel end)
check.fails("a video has no field 'colour'; own data is in video.extra", function() return v.colour end)
check.fails("a video has no field 'a number'; own data is in video.extra", function() return v[1] end)
check.fails("a channel has no field 'nmae'; known: id, title, url", function() return v.channel.nmae end)
check.fails("a channel has no field 'titel'; did you mean 'title'?", function() return v.channel.titel end)
check.fails("a video has no field 'titel'; did you mean 'title'?", v.get, v, "titel")
check.fails("bad argument #1 to 'video:get' (field): string expected, got no value", v.get, v)
check.fails("video:get: called without its video; write it with a colon, video:get(…)", v.get, "title")
check.fails("video:table: called without its video; write it with a colon, video:table(…)", v.table)
check.fails("bad argument #1 to 'video:playable_in' (country): string expected, got nil", v.playable_in, v, nil)

check.fails("bad argument #1 to 'yt.video' (fields): table expected, got no value", yt.video)
check.fails("a record is made of named fields: yt.video{id = …, title = …}", yt.video, { "a" })
check.fails("a video has no field 'titel'; did you mean 'title'?", yt.video, { titel = "a" })
check.fails("a video has no field 'rating'; own data goes into extra = {…}", yt.video, { rating = 1 })
check.fails("video.duration takes whole seconds from 0 or nil, got -1", yt.video, { duration = -1 })
