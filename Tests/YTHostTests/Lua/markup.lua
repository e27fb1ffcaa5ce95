-- yt.xml.parse, yt.html.parse and elements.
local check = require "check"

local function raises(call, pattern)
  local ok, problem = pcall(call)
  assert(not ok and (not pattern or tostring(problem):find(pattern)), tostring(problem))
end

local feed = yt.xml.parse([==[<?xml version="1.0"?>
<feed xmlns="urn:f" xmlns:m="urn:m" xml:lang="en">
  <entry id="one"><title>A &amp; B</title><m:thumbnail url="u1"/></entry>
  <entry id="two" class="new hot"><title>C<![CDATA[ <D>]]></title><m:thumbnail url="u2"/></entry>
</feed>]==])
check.same(feed.name, "feed")
check.same(feed.namespace, "urn:f")
check.same(feed.prefix, nil)
check.same(feed.parent, nil)
check.same(feed:attribute("xml:lang"), "en")
check.same(feed:attribute("lang"), nil)
check.same(tostring(feed:first("m:thumbnail")), "<m:thumbnail>")
check.same(feed:first("m|thumbnail").namespace, "urn:m")
check.same(feed:first(".hot > title"):text(), "C <D>")
check.same(feed:first("nothing"), nil)
check.same(feed:first("entry").line, 3)
check.same(feed:first("title").parent:attribute("id"), "one")
check.same(feed:first("title").parent == feed:children()[1], true)
check.same(#feed:children(), 2)
check.same(feed:children()[2].attributes.class, "new hot")
local titles = feed:select("title"):map(function(e) return e:text() end):list()
check.same(table.concat(titles, "|"), "A & B|C <D>")
check.same(#feed:select("entry, title"), 4)

local nothing, reason = yt.xml.parse("<a>\n<b></a>")
check.same(nothing, nil)
assert(reason:find("line 2, column %d+: .+mismatch"), reason)
for _, text in ipairs({ "", "plain", "<a>", "<a>&copy;</a>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>" }) do
  local tree, why = yt.xml.parse(text)
  check.same(tree, nil)
  assert(why:find("^line %d+, column %d+: "), why)
end

local page = yt.html.parse("<title>T&eacute;</title><p class=a>One<p id=b>Two <b>three</b>")
check.same(page.name, "html")
check.same(page:first("title"):text(), "Té")
check.same(page:first("p.a + #b"):text(), "Two three")
check.same(page:first("P:not(.a)"):attribute("id"), "b")

raises(function() page:select("p::before") end, "column 3: pseudo%-elements")
raises(function() page:select("") end, "where an element was expected")
raises(function() page:select(5, 6) end)
raises(function() return page.titel end, "an element has no 'titel'")
raises(function() return page.txt end, "did you mean 'text'")
raises(function() page.name = "x" end)
raises(function() yt.json.encode({ page }) end)

local results, kind = yt.parse([[<rss><channel><title>F</title><item><title>V</title>
<link>/watch</link></item></channel></rss>]], { base = "https://example.org/feed" })
check.same(kind, "feed")
check.same(results:first().url, "https://example.org/watch")
check.same(select(2, yt.parse("<html><title>x</title>", { as = "html" })), "html")
