-- yt.parse and yt.parse_url: data that cannot be read gives nil and a reason.
local check = require "check"

local lines = '{"ythost":1,"id":"a","title":"A"}\n{"ythost":1,"id":"b","published":"2024-01-01T00:00:00Z"}\n'
local results, kind = yt.parse(lines)
check.same(kind, "ythost")
local list = results:list()
check.same(#list, 2)
check.same(list[1].title, "A")
check.same(list[2].published, 1704067200)
check.same(select(2, yt.parse(lines, { as = "ythost" })), "ythost")

-- A bad record is skipped and counted.
results = yt.parse(lines .. "{broken\n")
check.same(results.info.skipped, 1)
check.same(results:count(), 2)
local none, reason = yt.parse(lines .. "{broken\n", { strict = true })
check.same(none, nil)
check.same(type(reason), "string")
none, reason = yt.parse("hello")
check.same(none, nil)
check.same(type(reason), "string")
check.same(yt.parse(""):count(), 0)

check.fails("bad argument #1 to 'yt.parse' (bytes): string expected, got table", yt.parse, {})
check.fails("bad argument #2 to 'yt.parse' (options): unknown option 'az'; did you mean 'as'?",
  yt.parse, lines, { az = "ythost" })
local ok, problem = pcall(yt.parse, lines, { as = "ythots" })
check.same(ok, false)
assert(problem:find("option 'as': 'ythots' is not one of ", 1, true))
assert(problem:find("did you mean 'ythost'?", 1, true))
check.fails("bad argument #2 to 'yt.parse' (options): option 'strict': boolean expected, got string",
  yt.parse, lines, { strict = "yes" })

local ref = yt.parse_url("https://youtu.be/dQw4w9WgXcQ?t=1m")
check.same({ ref.provider, ref.kind, ref.id, ref.start }, { "youtube", "video", "dQw4w9WgXcQ", 60 })
check.same(ref.url, "https://www.youtube.com/watch?v=dQw4w9WgXcQ")
check.same(ref.finish, nil)
none, reason = yt.parse_url("https://example.org/")
check.same(none, nil)
check.same(type(reason), "string")
none, reason = yt.parse_url("")
check.same(none, nil)
check.same(type(reason), "string")
check.fails("bad argument #1 to 'yt.parse_url' (url): string expected, got nil", yt.parse_url, nil)
