-- yt.json: exact integers, sorted keys, null.
local check = require "check"

check.same(yt.json.encode({ title = "a", seconds = 5 }), '{"seconds":5,"title":"a"}')
check.same(yt.json.encode({ 1, 2, { 3 } }), "[1,2,[3]]")
check.same(yt.json.encode({}), "[]")
check.same(yt.json.encode({ [1] = "a", [3] = "c" }), '{"1":"a","3":"c"}')
check.same(yt.json.encode({ 1, x = 2 }), '{"1":1,"x":2}')
check.same(yt.json.encode(9007199254740993), "9007199254740993")
check.same(yt.json.encode(1.5), "1.5")
check.same(yt.json.encode("a\"\n\\"), [["a\"\n\\"]])
check.same(yt.json.encode("\xff"), '"�"')
check.same(yt.json.encode(nil), "null")
check.same(yt.json.encode(yt.json.null), "null")
check.same(yt.json.encode({ a = yt.json.null, b = 1 }), '{"a":null,"b":1}')
check.same(yt.json.encode({ yt.json.null, 1 }), "[null,1]")
check.same(yt.json.encode({ a = { 1 } }, { pretty = true }), '{\n  "a": [\n    1\n  ]\n}')
check.same(yt.json.encode(yt.video({ id = "jNQXAC9IVRw", provider = "youtube", views = 3 })), '{"ythost":1,"provider":"youtube",'
  .. '"id":"jNQXAC9IVRw","kind":"video","url":"https://www.youtube.com/watch?v=jNQXAC9IVRw","views":3}')
check.same(yt.json.encode({ yt.video({ id = "x" }) }), '[{"id":"x","kind":"video"}]')

local data = yt.json.decode('{"a":[1,2.5,"x",true,null],"big":9007199254740993}')
check.same(data.a[1], 1)
check.same(data.a[2], 2.5)
check.same(data.a[3], "x")
check.same(data.a[4], true)
assert(data.a[5] == yt.json.null and yt.json.decode("null") == yt.json.null and yt.json.null ~= nil)
check.same(data.big, 9007199254740993)
check.same(yt.json.decode('"text"'), "text")
check.same(select("#", yt.json.decode("1")), 1)
local value, reason = yt.json.decode("{")
check.same(value, nil)
check.same(type(reason), "string")
value, reason = yt.json.decode("")
check.same(value, nil)
check.same(type(reason), "string")

check.fails("bad argument #1 to 'yt.json.encode' (value): any value expected, got no value", yt.json.encode)
check.fails("plain data expected, got a function", yt.json.encode, print)
check.fails("plain data expected, got a function", yt.json.encode, { f = print })
check.fails("plain data expected, got a thread", yt.json.encode, coroutine.create(print))
check.fails("a key must be a string or a position, got a boolean", yt.json.encode, { [true] = 1 })
local loop = {}
loop.loop = loop
check.fails("a table nested over 100 levels, or in itself", yt.json.encode, loop)
check.fails("bad argument #2 to 'yt.json.encode' (options): unknown option 'prety'; did you mean 'pretty'?",
  yt.json.encode, 1, { prety = true })
check.fails("bad argument #2 to 'yt.json.encode' (options): unknown option 'x'; known: pretty",
  yt.json.encode, 1, { x = true })
check.fails("bad argument #2 to 'yt.json.encode' (options): option 'pretty': boolean expected, got number",
  yt.json.encode, 1, { pretty = 1 })
check.fails("bad argument #2 to 'yt.json.encode' (options): options are written name = value",
  yt.json.encode, 1, { "pretty" })
check.fails("bad argument #2 to 'yt.json.encode' (options): table of options expected, got boolean",
  yt.json.encode, 1, true)
check.fails("bad argument #1 to 'yt.json.decode' (text): string expected, got table", yt.json.decode, {})
check.fails("yt.json.null has no fields", function() return yt.json.null.x end)
check.fails("there is no 'yt.json.parse'; `ythost help api` lists what there is", function() return yt.json.parse end)
check.fails("there is no 'yt.json.decod'; did you mean 'yt.json.decode'?", function() return yt.json.decod end)
for _, number in ipairs({ 0 / 0, math.huge, -math.huge }) do
  check.same(yt.json.encode(number), "null")
end
