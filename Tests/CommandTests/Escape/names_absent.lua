-- expect: exit=0 within=3 says="held"
for _, name in ipairs({"io", "debug", "package", "ffi", "jit", "bit32", "dofile", "loadfile", "loadstring", "module", "newproxy", "unpack", "getfenv", "setfenv", "warn"}) do
  assert(_G[name] == nil, name)
end
for _, name in ipairs({"execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname"}) do assert(os[name] == nil, name) end
for _, name in ipairs({"io", "debug", "package", "ffi", "jit", "socket", "posix"}) do
  assert(not pcall(require, name), name)
end
for _, name in ipairs({"os", "string", "_G", "coroutine"}) do assert(require(name) == _G[name], name) end
assert(string.dump == nil)
print("held")
