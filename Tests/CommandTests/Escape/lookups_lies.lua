-- expect: exit=0 within=3 says="held" flags="--budget cpu=2s,requests=none,calls=none"
local texts = {"", "\0", "../..", ("x"):rep(5000), "a,b", "\255", "UC" .. ("%"):rep(22), "-----------&"}
local function try(f, ...) assert(select("#", pcall(f, ...)) > 0) end
for _, text in ipairs(texts) do
  try(function() return yt.videos{text}:first() end)
  try(function() return yt.videos({text}, {source = text, fields = {text}}):first() end)
  try(yt.channel, text)
  try(yt.playlist, text)
  try(function() return yt.video{kind = "channel", id = text, provider = text}:uploads():first() end)
  try(function() return yt.video{kind = "playlist", id = text}:items{newest = 1}:first() end)
end
local many = {}
for i = 1, 20000 do many[i] = "not an id " .. i end
try(function() return yt.videos(many):first() end)
local odd = setmetatable({}, {__index = error, __len = error})
for _, items in ipairs{{1, "x", print}, {odd}, {{}}, many} do
  try(function() return yt.search("programming"):map(function() return items[1] end):enrich{"views"}:list() end)
end
for _, fields in ipairs{{}, {1}, {"views", odd}, odd, {{}}, {("x"):rep(1000)}} do
  try(function() return yt.search("programming"):enrich(fields):list() end)
end
print("held")
