-- expect: exit=0 within=3 says="held"
local rawset, print = rawset, print
for name in pairs(_G) do if name ~= "_G" and name ~= "yt" then rawset(_G, name, nil) end end
for _ = 1, 2 do
  local v = yt.video({title = "t"})
  local list = yt.search("programming"):take(3):map(function(x) return x end):filter(function() return 1 end):list()
  local sorted = yt.search("programming"):sort_by("title"):unique():group("title"):list()
  for _ in yt.pairs({a = 1}) do end
  yt.json.encode({v, v})
end
yt.search("programming"):count()
tostring = function() return "held" end
print({})
