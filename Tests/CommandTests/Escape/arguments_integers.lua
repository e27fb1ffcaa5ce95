-- expect: exit=0 within=3 says="held"
for _, n in ipairs({math.maxinteger, math.mininteger, -1, 1 << 62, -(1 << 62), 253402300800, -62135596801}) do
  pcall(yt.text.compact, n) pcall(yt.text.grouped, n) pcall(yt.duration.format, n) pcall(yt.text.pad, "x", n) pcall(yt.text.truncate, "x", n)
  for _, how in ipairs({"rfc822", "rfc3339", "date", "ago", "%Y %j %s %%", ("%Y"):rep(1000), "%"}) do pcall(yt.time.format, n, how) end
  local ok, v = pcall(yt.video, {title = "x", views = n, duration = n, published = n, likes = n, comments = n, starts = n})
  if ok then pcall(yt.json.encode, v) pcall(v.table, v) end
  pcall(function() return yt.search("programming", {max = n}):take(n):skip(n):list() end)
  pcall(function() return yt.search("programming", {after = n, before = n}):first() end)
  pcall(yt.csv.row, {1}, {columns = n})
end
for _, text in ipairs({"99999999999999999999", "9223372036854775807h", "P99999999999999Y", "-1:-1", "1e999", ("9"):rep(100000), ("1:"):rep(100000)}) do
  pcall(yt.duration.parse, text) pcall(yt.time.parse, text) pcall(yt.parse_url, text)
end
print("held")
