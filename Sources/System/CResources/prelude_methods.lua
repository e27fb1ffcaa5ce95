-- Methods of results and lists: each is a step over the steps before it.
local host, methods, results, list, take_over, collect, type, joined, spent = ...
local check, fail, key_of = host.check, host.fail, host.key

-- A stream whose items are known only when the first one is asked for.
local function deferred(make)
  local items, i
  return function()
    if not items then items, i = make(), 0 end
    i = i + 1
    return items[i]
  end
end

local function merge_sort(items, n, before)
  local from, to, width = items, {}, 1
  while width < n do
    local start = 1
    while start <= n do
      local left, right = start, start + width
      local left_end, right_end = right, right + width
      if left_end > n + 1 then left_end = n + 1 end
      if right_end > n + 1 then right_end = n + 1 end
      for out = start, right_end - 1 do
        if left < left_end and (right >= right_end or not before(from[right], from[left])) then
          to[out] = from[left]
          left = left + 1
        else
          to[out] = from[right]
          right = right + 1
        end
      end
      start = start + 2 * width
    end
    from, to, width = to, from, 2 * width
  end
  return from
end

local function reader(field)
  if type(field) == "function" then return field end
  return function(item) return item[field] end
end

function methods:filter(keep)
  check("Results:filter", self, keep)
  local step, info = take_over(self)
  return results(function()
    for item in step do
      if keep(item) then return item end
    end
  end, info)
end

function methods:map(change)
  check("Results:map", self, change)
  local step, info = take_over(self)
  return results(function()
    local item = step()
    if item == nil then return nil end
    local changed = change(item)
    if changed == nil then fail("the function given to :map returned nil; drop items with :filter") end
    return changed
  end, info)
end

function methods:take(n)
  check("Results:take", self, n)
  local step, info = take_over(self)
  return results(function()
    if n <= 0 then return nil end
    n = n - 1
    return step()
  end, info)
end

function methods:skip(n)
  check("Results:skip", self, n)
  local step, info = take_over(self)
  return results(function()
    while n > 0 do
      n = n - 1
      if step() == nil then
        n = 0
        return nil
      end
    end
    return step()
  end, info)
end

function methods:unique(key)
  check("Results:unique", self, key)
  local step, info = take_over(self)
  local read = key and reader(key) or key_of
  local seen = {}
  return results(function()
    for item in step do
      local value = read(item)
      if value == nil then return item end
      if not seen[value] then
        seen[value] = true
        return item
      end
    end
  end, info)
end

function methods:sort(before)
  check("Results:sort", self, before)
  local step, info = take_over(self)
  return results(deferred(function()
    local items, n = collect(step)
    return merge_sort(items, n, before)
  end), info)
end

function methods:sort_by(field, direction)
  check("Results:sort_by", self, field, direction)
  local step, info = take_over(self)
  local read = reader(field)
  return results(deferred(function()
    local items, n = collect(step)
    local known, unknown = {}, {}
    for i = 1, n do
      local value = read(items[i])
      if value == nil then
        unknown[#unknown + 1] = items[i]
      else
        known[#known + 1] = { value, items[i] }
      end
    end
    local sorted
    if direction == "desc" then
      sorted = merge_sort(known, #known, function(a, b) return a[1] > b[1] end)
    else
      sorted = merge_sort(known, #known, function(a, b) return a[1] < b[1] end)
    end
    local count, all = #known, {}
    for i = 1, count do all[i] = sorted[i][2] end
    for i = 1, #unknown do all[count + i] = unknown[i] end
    return all
  end), info)
end

function methods:group(key)
  check("Results:group", self, key)
  local step, info = take_over(self)
  local read = reader(key)
  return results(deferred(function()
    local groups, by_key, without = {}, {}, nil
    for item in step do
      local value = read(item)
      local group = without
      if value ~= nil then group = by_key[value] end
      if not group then
        group = { key = value, videos = list({}) }
        groups[#groups + 1] = group
        if value == nil then without = group else by_key[value] = group end
      end
      group.videos[#group.videos + 1] = item
    end
    return groups
  end), info)
end

function methods:enrich(fields)
  check("Results:enrich", self, fields)
  host.enrich({}, fields)
  local step, info = take_over(self)
  info = info or {}
  spent[info] = spent[info] or { calls = 0, cached = 0 }
  local batch, i, done = {}, 0, false
  return results(function()
    i = i + 1
    if batch[i] == nil and not done then
      batch, i = {}, 1
      for item in step do
        batch[#batch + 1] = item
        if #batch == 50 then break end
      end
      done = #batch < 50
      local service, calls, cached
      repeat
        batch, service, calls, cached = host.enrich(batch, fields, service)
        local sum = spent[info]
        if sum then sum.calls, sum.cached = sum.calls + calls, sum.cached + cached end
      until not service
    end
    return batch[i]
  end, info)
end

function methods:concat(other)
  check("Results:concat", self, other)
  local step, info = take_over(self)
  local second, more = take_over(other)
  return results(function()
    if step then
      local item = step()
      if item ~= nil then return item end
      step = nil
    end
    return second()
  end, joined({ info, more }, 2))
end

function methods:first()
  check("Results:first", self)
  return (take_over(self))()
end

function methods:count()
  check("Results:count", self)
  local n, step = 0, take_over(self)
  for _ in step do n = n + 1 end
  return n
end
