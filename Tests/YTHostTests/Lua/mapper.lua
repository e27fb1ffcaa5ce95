-- yt.mapper: mappings written in Lua.
local check = require "check"

local body = '{"items":[{"snippet":{"title":"A","n":"7"},"contentDetails":{"duration":"PT1M5S"}},'
  .. '{"snippet":{"title":"B"}}]}'
local read = yt.mapper({
  title = "snippet.title",
  duration = { "contentDetails.duration", as = "duration" },
  n = { "snippet.n", as = "integer" },
}, { rows = "items" })

local list = read(body):list()
check.same(#list, 2)
check.same({ list[1].title, list[1].duration, list[1].extra.n }, { "A", 65, 7 })
check.same({ list[2].title, list[2].duration, list[2].extra.n }, { "B", nil, nil })
check.same(read:read(body):count(), 2)

local rows = read(body, { into = "table" }):list()
check.same(rows[1], { title = "A", duration = 65, n = 7 })
check.same(rows[2].duration, nil)
check.same(rows:map(function(row) return row.title end):first(), "A")

local lines = yt.mapper({ id = "i", words = { "w", list = true }, kind = { value = "video" } })
check.same(check.ids(lines('{"i":"a"}\n{"i":"b"}\n')), "ab")
check.same(lines('{"i":"a","w":["x","y"]}', { into = "table" }):first().words, { "x", "y" })

local none, reason = read("{")
check.same(none, nil)
check.same(type(reason), "string")
none, reason = yt.mapper({ id = "i", views = { "v", as = "integer" } })('{"i":"a","v":"x"}', { strict = true })
check.same(none, nil)
check.same(type(reason), "string")

check.fails("bad argument #1 to 'yt.mapper' (fields): table expected, got string", yt.mapper, "title")
check.fails("yt.mapper: a mapping is written {field = \"path\", …}", yt.mapper, { "title" })
check.fails("yt.mapper: 'title' takes a path or a table", yt.mapper, { title = 5 })
check.fails("yt.mapper: 'n' has an unknown key 'aas'; did you mean 'as'?", yt.mapper, { n = { "x", aas = "text" } })
check.fails("yt.mapper: 'n': unknown converter 'intger'; did you mean 'integer'?",
  yt.mapper, { n = { "x", as = "intger" } })
check.fails("yt.mapper: 'n': as takes a converter's name, or a table {word = value}",
  yt.mapper, { n = { "x", as = 5 } })
check.fails("yt.mapper: 'n': required is true or false", yt.mapper, { n = { "x", required = "yes" } })
check.fails("yt.mapper: 'n': a path is a string", yt.mapper, { n = { 5, as = "text" } })
check.fails("bad argument #2 to 'yt.mapper' (options): unknown option 'row'; did you mean 'rows'?",
  yt.mapper, { id = "i" }, { row = "items" })
check.fails("bad argument #1 to 'mapper:read' (json): string expected, got no value", read)
check.fails("bad argument #2 to 'mapper:read' (options): option 'into': 'tabel' is not one of video, table; did you mean 'table'?",
  read, body, { into = "tabel" })
check.fails("mapper:read: called without its mapper; write it with a colon, mapper:read(…)", read.read, body)
check.fails("a mapper has no 'map'; call it: mapper(json), or mapper:read(json, {into = \"table\"})",
  function() return read.map end)
