-- yt.embed: players as markup. What each parameter becomes is tested where the markup is made.
local check = require "check"

local id = "dQw4w9WgXcQ"
local html, facts = yt.embed(id, { title = "A <b>", player = { rel = false }, start = "1m30s", width = 320 })
check.same(facts, {
  kind = "frame", title = "A <b>", width = 320, height = 200, link = "https://www.youtube.com/watch?v=" .. id,
  url = "https://www.youtube-nocookie.com/embed/" .. id .. "?rel=0&start=90",
})
local frame = yt.html.parse(html):select("iframe")[1]
check.same(frame:attribute("title"), "A <b>")
check.same(frame:attribute("referrerpolicy"), "strict-origin-when-cross-origin")

-- Records, and what does not play.
local video = yt.video{ provider = "youtube", id = id, title = "Song", embeddable = false }
html, facts = yt.embed(video)
check.same(facts.kind, "link")
check.same(facts.reason, "Its owner lets it play on the service's own page only.")
check.same(facts.url, nil)
check.same(yt.html.parse(html):select("a")[1]:attribute("href"), "https://www.youtube.com/watch?v=" .. id)
video.embeddable = true
check.same(select(2, yt.embed(video, { facade = true })).kind, "facade")
check.same(select(2, yt.embed(video, { autoplay = true, loop = true })).url,
  "https://www.youtube-nocookie.com/embed/" .. id .. "?autoplay=1&loop=1&mute=1&playlist=" .. id)

-- One set of options for a mixed list.
local both = { player = { youtube = { rel = false }, vimeo = { byline = false } } }
check.same(select(2, yt.embed(id, both)).url, "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0")
check.same(select(2, yt.embed("https://vimeo.com/76979871", both)).url,
  "https://player.vimeo.com/video/76979871?byline=0&dnt=1")

check.unreadable("host evil.example is not a known video service", yt.embed("https://evil.example/embed/" .. id))
check.fails("yt.embed: the player of youtube takes no 'autoplya'; did you mean 'autoplay'?", yt.embed, id,
  { player = { autoplya = true } })
check.fails("yt.embed: 'modestbranding' does nothing: YouTube ignores it since August 2023", yt.embed, id,
  { player = { modestbranding = true } })
check.fails("yt.embed: player takes parameters by name: player = {rel = false}", yt.embed, id, { player = { 1 } })
check.fails("bad argument #2 to 'yt.embed' (options): option 'width': whole number from 200 to 7680 expected, got 100", yt.embed, id, { width = 100 })

-- A page of many.
local page = yt.player({ video, yt.video{ title = "No address" } }, { title = "A <b>" })
local tree = yt.html.parse(page)
check.same(tree:select("title")[1]:text(), "A <b>")
check.same(#tree:select("#queue li"), 1)
check.same(tree:select("#queue li")[1]:attribute("data-player"),
  "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&playsinline=1")
check.unreadable("none of the videos has an address of a page to watch", yt.player({}))
check.fails("bad argument #1 to 'yt.player' (videos): at 1: video expected, got string", yt.player, { id })

-- Pictures are chosen without asking anybody.
check.same(yt.thumbnail(id, { width = 640 }).url, "https://i.ytimg.com/vi/dQw4w9WgXcQ/sddefault.jpg")
check.same(yt.thumbnail(id).width, 1280)
check.unreadable("no picture is known of it", yt.thumbnail(yt.video{ title = "x" }))
check.fails("a thumbnail has no 'byte'; did you mean 'bytes'?", function() return yt.thumbnail(id).byte end)
