-- yt.text: columns, cleaning, folding, short counts.
local check = require "check"

check.same(yt.text.width("日本語"), 6)
check.same(yt.text.width(""), 0)
check.same(yt.text.width(12), 2)
check.same(yt.text.truncate("programming", 5), "prog…")
check.same(yt.text.truncate("日本語", 4), "日…")
check.same(yt.text.truncate("abc", 3), "abc")
check.same(yt.text.truncate("abc", 0), "")
check.same(yt.text.pad("1:05", 8, "right"), "    1:05")
check.same(yt.text.pad("ab", 5, "center"), " ab  ")
check.same(yt.text.pad("ab", 4), "ab  ")
check.same(yt.text.pad("abc", 2), "abc")
check.same(yt.text.clean("a\27[31mb\nc\0d"), "ab c d")
check.same(yt.text.fold("Élan"), yt.text.fold("elan"))
check.same(yt.text.compact(950), "950")
check.same(yt.text.compact(3200000), "3.2M")
check.same(yt.text.compact(1234.0), "1.2K")
check.same(yt.text.grouped(3170000), "3,170,000")
check.same(type(yt.text.compact(math.mininteger)), "string")
check.same(type(yt.text.grouped(math.mininteger)), "string")
check.same(yt.text.width("\xff"), 1) -- bytes that are no text are shown as one replacement character

check.fails("bad argument #1 to 'yt.text.width' (text): string expected, got no value", yt.text.width)
check.fails("bad argument #1 to 'yt.text.width' (text): string expected, got nil", yt.text.width, nil)
check.fails("bad argument #1 to 'yt.text.fold' (text): string expected, got boolean", yt.text.fold, true)
check.fails("bad argument #1 to 'yt.text.clean' (text): string expected, got table", yt.text.clean, {})
check.fails("bad argument #2 to 'yt.text.truncate' (columns): whole number from 0 to 10000 expected, got no value",
  yt.text.truncate, "a")
check.fails("bad argument #2 to 'yt.text.truncate' (columns): whole number from 0 to 10000 expected, got -1",
  yt.text.truncate, "a", -1)
check.fails("bad argument #2 to 'yt.text.pad' (columns): whole number from 0 to 10000 expected, got 10001",
  yt.text.pad, "a", 10001)
check.fails("bad argument #2 to 'yt.text.pad' (columns): whole number from 0 to 10000 expected, got number",
  yt.text.pad, "a", 1.5)
check.fails("bad argument #2 to 'yt.text.pad' (columns): whole number from 0 to 10000 expected, got string",
  yt.text.pad, "a", "5")
check.fails("bad argument #3 to 'yt.text.pad' (align): 'rihgt' is not one of left, right, center; did you mean 'right'?",
  yt.text.pad, "a", 5, "rihgt")
check.fails("bad argument #1 to 'yt.text.compact' (n): whole number expected, got nil", yt.text.compact, nil)
check.fails("bad argument #1 to 'yt.text.grouped' (n): whole number expected, got number", yt.text.grouped, 0.5)
