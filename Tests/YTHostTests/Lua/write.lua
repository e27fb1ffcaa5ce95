-- What may be put into a field: its shape, or nil.
local check = require "check"

local v = yt.video({ id = "x" })
local function set(name, value) v[name] = value end

-- Every shape takes what fits.
local fits = {
  title = "a", views = 5, duration = 61, published = -5, score = 1.5, live = true, kind = "playlist",
  tags = { "a" }, channel = { id = "c" }, regions = { allowed = { "DE" } },
  thumbnails = { high = { url = "u", width = 1, height = 2 } }, found_in = { { source = "s", query = "q" } },
  raw = { any = { 1, "x" } }, license = "other", captions = false,
}
for name, value in yt.pairs(fits) do
  set(name, value)
  if name ~= "channel" then check.same(v[name], value) end
end
check.same(v.channel.id, "c")
v.views = 6.0
check.same(v.views, 6)
v.score = 3
check.same(v.score, 3)
v.tags = {}
v.title = nil
check.same(v.title, nil)
check.same(v:get("title", "?"), "?")

-- And refuses what does not.
local wrong = {
  { "title", 5, "a string or nil, got 5" },
  { "title", { "a" }, "a string or nil, got a table" },
  { "views", -1, "a whole number from 0 or nil, got -1" },
  { "views", 1.5, "a whole number from 0 or nil, got 1.5" },
  { "views", "7", "a whole number from 0 or nil, got the string '7'" },
  { "duration", "1:05", "whole seconds from 0 or nil, got the string '1:05'" },
  { "published", "2024-01-01", "epoch seconds or nil, got the string '2024-01-01'" },
  { "score", "high", "a number or nil, got the string 'high'" },
  { "live", 1, "true, false or nil, got 1" },
  { "kind", "vidoe", "one of video, channel, playlist, page or nil, got the string 'vidoe'" },
  { "live_state", true, "one of none, live, upcoming, was_live or nil, got true" },
  { "tags", "a,b", "a list of strings or nil, got the string 'a,b'" },
  { "tags", { 1 }, "a list of strings or nil, got a table" },
  { "tags", { a = "b" }, "a list of strings or nil, got a table" },
  { "channel", "jawed", "{id = …, title = …, url = …} or nil, got the string 'jawed'" },
  { "channel", { name = "jawed" }, "{id = …, title = …, url = …} or nil, got a table" },
  { "channel", { title = 5 }, "{id = …, title = …, url = …} or nil, got a table" },
  { "thumbnails", { high = "u" }, "{name = {url = …, width = …, height = …}} or nil, got a table" },
  { "regions", { "DE" }, "{allowed = {…}} or {blocked = {…}} or nil, got a table" },
  { "found_in", { "x" }, "{{source = …, query = …}} or nil, got a table" },
}
for _, row in ipairs(wrong) do check.fails("video." .. row[1] .. " takes " .. row[3], set, row[1], row[2]) end
check.fails("plain data expected, got a function", set, "title", print)
check.fails("plain data expected, got a thread", set, "raw", coroutine.create(print))

check.fails("a video has no field 'titel'; did you mean 'title'?", set, "titel", "a")
check.fails("a video has no field 'rating'; put your own data in video.extra", set, "rating", 5)
check.fails("set the whole channel: video.channel = {id = …, title = …, url = …}",
  function() v.channel.title = "x" end)
check.fails("set the whole channel: video.channel = {id = …, title = …, url = …}",
  function() v.channel.nmae = "x" end)

-- Channels and videos are plain data where data is taken.
v.channel = { id = "c", title = "C" }
local w = yt.video({ id = "y" })
w.channel = v.channel
check.same({ w.channel.id, w.channel.title }, { "c", "C" })

-- extra: by name, any plain data, copied in and out.
v.extra.n = 1
v.extra.list = { 1, { deep = true } }
check.same(v.extra.n, 1)
check.same(v.extra.list, { 1, { deep = true } })
check.same(v.extra.unknown, nil)
local list = v.extra.list
list[1] = 99
check.same(v.extra.list[1], 1)
v.extra.list = nil
check.same(v.extra.list, nil)
v.extra.n = 2
check.same(v.extra.n, 2)
local seen = {}
for name, value in pairs(v.extra) do seen[name] = value end
check.same(seen, { n = 2 })
v.extra = { other = "x" }
check.same(v.extra.n, nil)
check.same(v:table().extra, { other = "x" })
local kept = v.extra
kept.late = true
check.same(v.extra.late, true)
v.extra = nil
check.same(v:table().extra, nil)
v.extra.again = 1
check.same(yt.json.encode(v):match('"extra":(.*)}'), '{"again":1}')
check.same(yt.json.encode(v.extra), '{"again":1}')
check.same(yt.json.encode({ mine = v.extra }), '{"mine":{"again":1}}')
w.extra = v.extra
check.same(w.extra.again, 1)
check.fails("video.extra takes a table of named values", set, "extra", 5)
check.fails("video.extra takes a table of named values", set, "extra", { 1, 2 })
check.fails("video.extra is read and set by name", function() return v.extra[1] end)
check.fails("video.extra is read and set by name", function() v.extra[1] = "x" end)
check.fails("plain data expected, got a function", function() v.extra.f = print end)
