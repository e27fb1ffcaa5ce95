-- expect: exit=0 says="held"
-- A task's own coroutine cannot be resumed, closed or finished by others so that the host is confused.
local mine, other
local outcomes = yt.all{
  function()
    mine = coroutine.running()
    return yt.search("programming", { max = 3 }):count()
  end,
  function()
    other = coroutine.running()
    local resumed = { coroutine.resume(mine, "junk") }
    local closed = { pcall(coroutine.close, mine) }
    return yt.search("programming", { max = 2 }):count()
  end,
  function()
    coroutine.yield("a", "b")
    return 1
  end,
  function() return coroutine.wrap(function() coroutine.yield(coroutine.running()) end)() end,
}
assert(#outcomes == 4 and outcomes[2].value == 2 and not outcomes[3].ok)
for _, thread in ipairs{ mine, other } do
  assert(not coroutine.resume(thread, 1))
  pcall(coroutine.close, thread)
end
assert(not pcall(yt.all, { function() end, 5 }))
assert(not pcall(yt.all, { coroutine.wrap(function() end), nil, function() end, n = 3 }) or true)
print("held")
