-- expect: exit=0 within=9 says="held" flags="--budget cpu=8s,wall=8s,requests=none,calls=none"
local values = {math.maxinteger, math.mininteger, 1 << 53, -1, 0, 1e308, -1e308, 0/0, 1/0, -1/0, "", "\0", ("\255"):rep(100), ("x"):rep(5000), {}, {{}}, {[0/1] = 1}, {a = {b = {}}}, true, false, print, coroutine.create(print), yt.json.null, yt.video({title = "x"}), setmetatable({}, {__index = error, __len = error, __pairs = error})}
local n = 0
local function try(f)
  n = n + 1
  pcall(f)
  for i = 1, #values do
    pcall(f, values[i])
    for j = 1, #values do pcall(f, values[i], values[j]) end
    pcall(f, values[i], values[i], values[i], values[i])
  end
end
local outside = {exec = true, search = true, videos = true, channel = true, playlist = true, log = true, options = true, needs = true}
for name, value in pairs(yt) do
  if type(value) == "function" and not outside[name] then try(value) end
  if type(value) == "table" and name ~= "file" then for _, f in pairs(value) do if type(f) == "function" then try(f) end end end
end
assert(n > 20, n)
print("held")
