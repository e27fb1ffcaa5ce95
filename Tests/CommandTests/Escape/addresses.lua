-- expect: exit=0 within=3 says="held"
local lpeg = require("lpeg")
local values = {{}, print, function() end, coroutine.create(print), yt.json.null, yt.video({title = "x"}), yt.search("programming"), lpeg.P("x"), yt.mapper({title = "t"}), setmetatable({}, {__name = "named"}), _G, yt, string}
local function clean(text) text = tostring(text) assert(not text:find("0x%x%x%x") and not text:find("%x%x%x%x%x%x%x%x"), text) end
for _, value in ipairs(values) do
  clean(value) clean(string.format("%s|%-20s|%q", value, value, "x"))
  for _, f in ipairs({tonumber, ipairs, string.rep, table.concat, setmetatable, error, yt.search, yt.json.encode, yt.text.pad, lpeg.P, lpeg.match, math.abs, utf8.char, load, require, yt.video}) do
    local ok, e = pcall(f, value, value, value)
    if not ok then clean(e) end
  end
  for _, code in ipairs({"return v + 1", "return v .. 1", "return v < v", "return #v", "v()", "return v[v][v]", "return -v", "return v & 1"}) do
    local ok, e = pcall(load(code, "=c", "t", {v = value}))
    if not ok then clean(e) end
  end
end
print("held")
