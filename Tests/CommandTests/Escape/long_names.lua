-- expect: exit=0 within=3 says="held"
local long = ("x"):rep(3000000)
for _, f in ipairs({yt.search, yt.env, yt.file.read, yt.file.lines, require, yt.parse_url, yt.time.parse, yt.duration.parse}) do pcall(f, long) end
pcall(yt.file.write, long, "x") pcall(yt.exec, {long}) pcall(yt.exec, {"echo", long})
pcall(function() return yt.search(long):first() end)
pcall(yt.log, long) pcall(yt.search, "x", {[long] = 1}) pcall(yt.time.format, 0, long)
print("held")
