-- One escaper a syntax: XML, HTML, CSV, addresses.
local check = require "check"

check.same(yt.xml.escape([[a<b>&"c'\0]] .. "\0"), [[a&lt;b&gt;&amp;&quot;c&#39;\0]])
check.same(yt.html.escape([[<b class="x">&]]), "&lt;b class=&quot;x&quot;&gt;&amp;")
check.same(yt.html.unescape("Rubik&#39;s Cube"), "Rubik's Cube")
check.same(yt.html.unescape("&amp;lt;"), "&lt;")
check.fails("bad argument #1 to 'yt.xml.escape' (text): string expected, got nil", yt.xml.escape, nil)
check.fails("bad argument #1 to 'yt.html.escape' (text): string expected, got table", yt.html.escape, {})
check.fails("bad argument #1 to 'yt.html.unescape' (text): string expected, got no value", yt.html.unescape)

check.same(yt.csv.row({ "a", 'say "x"', "b,c" }), 'a,"say ""x""","b,c"')
check.same(yt.csv.row({ "a", nil, 3, true, 1.5 }, { columns = 6 }), "a,,3,true,1.5,")
check.same(yt.csv.row({ "=1+1", 5 }, { safe = true }):sub(1, 1) ~= "=", true)
check.same(yt.csv.row({ -5 }, { safe = true }), "-5")
check.fails("field 2 is a table, which CSV cannot hold", yt.csv.row, { "a", {} })
check.fails("bad argument #1 to 'yt.csv.row' (fields): table expected, got string", yt.csv.row, "a")
check.fails("bad argument #2 to 'yt.csv.row' (options): option 'columns': whole number from 1 to 1000 expected, got 0",
  yt.csv.row, {}, { columns = 0 })
check.fails("bad argument #2 to 'yt.csv.row' (options): unknown option 'colums'; did you mean 'columns'?",
  yt.csv.row, {}, { colums = 1 })

check.same(yt.url.encode("a b&c/é"), "a%20b%26c%2F%C3%A9")
check.same(yt.url.decode("caf%C3%A9"), "café")
check.unreadable("a % that is not followed by two hexadecimal digits", yt.url.decode("50%"))
check.unreadable("a % that is not followed by two hexadecimal digits", yt.url.decode("%zz"))
check.fails("bad argument #1 to 'yt.url.encode' (text): string expected, got no value", yt.url.encode)
check.fails("bad argument #1 to 'yt.url.decode' (text): string expected, got boolean", yt.url.decode, false)

-- Links: only http and https, safe to quote.
assert(yt.url.link("https://example.org/a?b=c") == "https://example.org/a?b=c")
assert(yt.url.link('http://x/"') == "http://x/%22")
assert(yt.url.link("javascript:alert(1)") == nil and yt.url.link(nil) == nil)
