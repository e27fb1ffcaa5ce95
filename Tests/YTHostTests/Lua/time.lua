-- yt.time and yt.duration. The clock of these tests stands at 1700000000.
local check = require "check"

check.same(yt.time.parse("2024-07-01T12:00:00Z"), 1719835200)
check.same(yt.time.parse("2024-07-01"), 1719792000)
check.same(yt.time.parse("Mon, 01 Jul 2024 12:00:00 GMT"), 1719835200)
check.unreadable("'soon' is not a date", yt.time.parse("soon"))
check.unreadable("'' is not a date", yt.time.parse(""))
check.same(yt.time.format(1719835200), "2024-07-01T12:00:00Z")
check.same(yt.time.format(1719835200, "date"), "2024-07-01")
check.same(yt.time.format(1719835200.0, "rfc822"), "Mon, 01 Jul 2024 12:00:00 GMT")
check.same(yt.time.format(1719835200, "%d.%m.%Y"), "01.07.2024")
check.same(yt.time.format(1700000000 - 7200, "ago"), "2 hours ago")
check.same(yt.time.now(), 1700000000)
check.same(os.time(), 1700000000)
for _, how in ipairs({ "rfc3339", "rfc822", "date", "ago", "%Y-%m-%d %H:%M" }) do
  for _, time in ipairs({ math.mininteger, math.maxinteger, 0, -1 }) do
    check.same(type(yt.time.format(time, how)), "string")
  end
end

check.fails("bad argument #1 to 'yt.time.parse' (text): string expected, got no value", yt.time.parse)
check.fails("bad argument #1 to 'yt.time.format' (time): whole number expected, got string", yt.time.format, "now")
check.fails("bad argument #1 to 'yt.time.format' (time): whole number expected, got nil", yt.time.format, nil, "date")
check.fails("bad argument #2 to 'yt.time.format' (how): string expected, got table", yt.time.format, 0, {})
check.fails("'dat' is no way to write a time; use rfc822, rfc3339, date, ago, or a pattern with % such as %Y-%m-%d",
  yt.time.format, 0, "dat")

check.same(yt.duration.parse("1h30m"), 5400)
check.same(yt.duration.parse("PT1H5M"), 3900)
check.same(yt.duration.parse("1:05:00"), 3900)
check.same(yt.duration.parse(90), 90)
check.unreadable("'long' is not a duration", yt.duration.parse("long"))
check.unreadable("'-5' is not a duration", yt.duration.parse("-5"))
check.same(yt.duration.format(5), "0:05")
check.same(yt.duration.format(3900), "1:05:00")
check.same(type(yt.duration.format(math.maxinteger)), "string")
check.fails("bad argument #1 to 'yt.duration.parse' (text): string expected, got nil", yt.duration.parse, nil)
check.fails("bad argument #1 to 'yt.duration.format' (seconds): whole number from 0 expected, got -1",
  yt.duration.format, -1)
check.fails("bad argument #1 to 'yt.duration.format' (seconds): whole number from 0 expected, got no value",
  yt.duration.format)
