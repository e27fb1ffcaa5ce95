-- yt.url, yt.text.links, and the addresses that a reference gives back.
local check = require "check"

-- Taking apart.
check.same(yt.url.parse("HTTPS://me@Example.org:8080/a%20b?x=1&y=a+b&x=2&z#top"), {
  url = "https://me@example.org:8080/a%20b?x=1&y=a+b&x=2&z#top", scheme = "https", user = "me", host = "example.org",
  port = 8080, path = "/a%20b", query = { x = { "1", "2" }, y = "a b", z = "" }, fragment = "top",
})
check.same(yt.url.parse(""), { url = "", path = "" })
check.same(yt.url.parse("a/b"), { url = "a/b", path = "a/b" })
check.same(yt.url.parse("//h"), { url = "//h", host = "h", path = "" })
check.same(yt.url.parse("mailto:a@b.org"), { url = "mailto:a@b.org", scheme = "mailto", path = "a@b.org" })
check.same(yt.url.parse("http://[::1]:80/").host, "[::1]")
check.same(yt.url.parse("?1=a&2=b").query, { ["1"] = "a", ["2"] = "b" })
check.same(yt.url.parse("../c?d", { base = "https://example.org/a/b/x" }).url, "https://example.org/a/c?d")
check.unreadable("'a b' is not a URL: it holds a space, which is written %20", yt.url.parse("a b"))
check.unreadable("'http://h:99999/' is not a URL: its port is no number from 0 to 65535", yt.url.parse("http://h:99999/"))
check.unreadable("'1a:b' is not a URL: what stands before its first colon is no scheme", yt.url.parse("1a:b"))
check.unreadable("'<a>' is not a URL: it holds <, which no URL may", yt.url.parse("<a>"))
check.unreadable("'a\nb' is not a URL: it holds a control character", yt.url.parse("a\nb"))
check.unreadable("the base 'a/b' has no scheme: it must be a whole URL", yt.url.parse("c", { base = "a/b" }))
check.fails("bad argument #1 to 'yt.url.parse' (url): string expected, got nil", yt.url.parse, nil)
check.fails("bad argument #2 to 'yt.url.parse' (options): unknown option 'bas'; did you mean 'base'?",
  yt.url.parse, "a", { bas = "b" })

-- Putting together.
local build = yt.url.build
check.same(build{ base = "https://example.org/api/", path = "search", query = { q = "a b&c", max = 5, hd = true } },
  "https://example.org/api/search?hd=true&max=5&q=a%20b%26c")
check.same(build{ scheme = "HTTPS", host = "Example.org", port = 8080, user = "me:x@y", path = "a b/é?", fragment = "x y#" },
  "https://me:x%40y@example.org:8080/a%20b/%C3%A9%3F#x%20y%23")
check.same(build{ host = "h", path = { "a/b", "c d", "100%" } }, "//h/a%2Fb/c%20d/100%25")
check.same(build{ path = { "", "a" } }, "/a")
check.same(build{ query = { { "z", 1 }, { "a", "2" }, { "z", 3 } } }, "?z=1&a=2&z=3")
check.same(build{ query = { b = { 1, 2 }, a = "x" } }, "?a=x&b=1&b=2")
check.same(build{ query = "a=1&b=c d" }, "?a=1&b=c%20d")
check.same(build{ query = {} }, "")
check.same(build{}, "")
check.same(build{ base = "https://h/a/b?c#d" }, "https://h/a/b?c")
check.same(build{ base = "https://h/a/b?c", query = { x = 1 } }, "https://h/a/b?x=1")
check.same(build{ base = "https://h/a/b", path = "../c%2f%zz" }, "https://h/c%2f%25zz")
-- A part stays in its place, whatever it holds.
check.same(build{ base = "https://h/a", path = "//evil.example/x" }, "https://h//evil.example/x")
check.same(build{ path = "//evil.example/x" }, "/.//evil.example/x")
check.same(build{ path = "javascript:alert(1)" }, "./javascript:alert(1)")
check.same(build{ base = "https://h/a/", path = "x?y#z" }, "https://h/a/x%3Fy%23z")
check.unreadable("'h/x' is not a host", build{ host = "h/x" })
check.unreadable("'a@b' is not a host", build{ host = "a@b" })
check.unreadable("'h:80' is not a host", build{ host = "h:80" })
check.unreadable("'' is not a host", build{ host = "" })
check.unreadable("'ht tp' is not a scheme: letters, digits, + - .", build{ scheme = "ht tp" })
check.unreadable("there is a port but no host", build{ port = 80 })
check.unreadable("there is a user but no host", build{ user = "me" })
check.unreadable("'..' in a list of segments would mean another path", build{ host = "h", path = { "a", ".." } })
check.unreadable("the query has a name that is a boolean", build{ query = { [true] = 1 } })
check.unreadable("the query has a value for 'a' that is no text, number, boolean or list of them", build{ query = { a = { {} } } })
check.unreadable("the query has a value for 'a' that is no text, number, boolean or list of them", build{ query = { a = print } })
check.unreadable("the query has no {name, value} at 1", build{ query = { "a" } })
check.unreadable("the query has no {name, value} at 2", build{ query = { { "a", 1 }, { "b" } } })
check.unreadable("the base 'x' has no scheme: it must be a whole URL", build{ base = "x" })
check.unreadable("'a b' is not a URL: it holds a space, which is written %20", build{ base = "a b" })
check.fails("bad argument #1 to 'yt.url.build' (parts): unknown option 'pat'; did you mean 'path'?", build, { pat = "" })
check.fails("bad argument #1 to 'yt.url.build' (parts): option 'port': whole number from 0 to 65535 expected, got -1",
  build, { port = -1 })
for _, url in ipairs({ "https://u@h:1/a/b?x=1&y=2#f", "//h/", "/a", "a?b=", "mailto:a@b", "" }) do
  check.same(build(yt.url.parse(url)), url)
end

-- Links in running text.
local links, places = yt.text.links("See https://youtu.be/dQw4w9WgXcQ, or (www.vimeo.com/1)!")
check.same(links, { "https://youtu.be/dQw4w9WgXcQ", "https://www.vimeo.com/1" })
check.same(places, { { 5, 32 }, { 39, 53 } })
check.same(("See https://youtu.be/dQw4w9WgXcQ,"):sub(5, 32), links[1])
check.same(yt.text.links(""), {})
check.same(yt.text.links("no links here: a.b, c/d, 1:05"), {})
check.fails("bad argument #1 to 'yt.text.links' (text): string expected, got nil", yt.text.links, nil)

-- What a reference gives back.
local ref = yt.parse_url("<URL:youtu.be/dQw4w9WgXcQ?t=1m4s&end=90>")
check.same(ref, {
  provider = "youtube", kind = "video", id = "dQw4w9WgXcQ", start = 64, finish = 90,
  url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ", short_url = "https://youtu.be/dQw4w9WgXcQ",
  embed_url = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  thumbnail_url = "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg",
})
check.same(yt.parse_url("https://player.vimeo.com/video/823141156?h=90e6d75118"), {
  provider = "vimeo", kind = "video", id = "823141156", hash = "90e6d75118",
  url = "https://vimeo.com/823141156/90e6d75118", embed_url = "https://player.vimeo.com/video/823141156?h=90e6d75118",
})
ref = yt.parse_url("http://framatube.org/w/9dRFC6Ya11NCVeYKn8ZhiD")
check.same(ref.host, "framatube.org")
check.same(ref.embed_url, "https://framatube.org/videos/embed/9dRFC6Ya11NCVeYKn8ZhiD")
check.same(yt.parse_url("https://youtube.com/shorts/dQw4w9WgXcQ").short, true)
check.same(yt.parse_url("https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&gl=DE").id,
  "dQw4w9WgXcQ")
check.same(yt.parse_url("https://youtu.be/dQw4w9WgXcQ/t=2").id, "dQw4w9WgXcQ")
check.unreadable("YouTube ids have 11 characters, this has 10: dQw4w9WgXc", yt.parse_url("https://youtu.be/dQw4w9WgXc"))
