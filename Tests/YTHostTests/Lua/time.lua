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

-- A zone of one's own; without it, that of --tz (none here).
local evening = yt.time.parse("2021-11-28T02:30:00Z")
check.same(yt.time.format(evening, "date", "America/New_York"), "2021-11-27")
check.same(yt.time.format(evening, "date", "UTC"), "2021-11-28")
check.same(yt.time.format(evening, "date", nil), "2021-11-28")
check.same(yt.time.format(evening, "rfc3339", "Asia/Kolkata"), "2021-11-28T08:00:00+05:30")
check.same(yt.time.format(evening, "%H:%M %Z", "Europe/Berlin"), "03:30 CET")
check.same(yt.time.format(1719835200, "%H:%M %Z %z", "Europe/Berlin"), "14:00 CEST +0200")
check.same(yt.time.format(evening, "rfc822", "Asia/Tokyo"), "Sun, 28 Nov 2021 02:30:00 GMT")
check.fails("there is no time zone 'Europe/Nowhere'; zones are named as Europe/Berlin or UTC",
  yt.time.format, 0, "date", "Europe/Nowhere")
for _, name in ipairs({ "", "../../../etc/passwd", "/etc/passwd", "Europe", ("a"):rep(300), "tzdata.zi" }) do
  check.fails("there is no time zone '" .. name .. "'; zones are named as Europe/Berlin or UTC",
    yt.time.format, 0, "date", name)
end
check.fails("bad argument #3 to 'yt.time.format' (tz): string expected, got boolean", yt.time.format, 0, "date", true)
check.same(yt.time.format(1719835200, "%C %g %k %l %P %r %h %U %W"), "20 24 12 12 pm 12:00:00 PM Jul 26 27")
check.same(yt.time.format(1719835200, "%c | %x | %X"), "Mon Jul  1 12:00:00 2024 | 07/01/24 | 12:00:00")
check.same(yt.time.format(1719835200, "%C%q%"), "20%q%")
for _, time in ipairs({ math.mininteger, math.maxinteger, -62167219201, -62135596801 }) do
  check.same(type(yt.time.format(time, "%C %g %U %W %G %V %y", "America/New_York")), "string")
end

-- What is relative, partial or of no calendar day is never made up.
for _, text in ipairs({
  "yesterday", "2 days ago", "3 years ago", "today", "now", "last week", "in 2 hours", "12:30", "Monday", "July 2024",
  "2024", "2024-07", "2024-13-01", "2024-00-10", "2024-02-30", "2023-02-29", "1900-02-29", "0000-01-01",
  "10000-01-01", "2024-07-01T24:00:01Z", "2024-07-01T12:60:00Z", "07/01/2024", "1.7.2024",
  "2016-12-31T23:59:61Z", "2016-12-31T12:59:60Z", "2024-07-01T12:00:00+24:00",
  "Mon, 31 Jun 2024 12:00:00 GMT", "--1-01-01", "+2024-07-01", "٢٠٢٤-٠٧-٠١", "1719835200",
}) do
  local time, reason = yt.time.parse(text)
  assert(time == nil and reason == "'" .. text .. "' is not a date", text)
end
