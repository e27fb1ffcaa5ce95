-- What the files beside this one assert with. A failure names the line of the assert, not of this file.

local check = {}

-- Both are the same, tables by content.
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b and math.type(a) == math.type(b) end
  for key, value in pairs(a) do
    if not same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

local function show(value)
  if type(value) == "table" then
    local parts = {}
    for key, item in yt.pairs(value) do parts[#parts + 1] = tostring(key) .. "=" .. show(item) end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  return type(value) == "string" and string.format("%q", value) or tostring(value)
end

function check.same(got, wanted)
  if not same(got, wanted) then error("got " .. show(got) .. "\nwanted " .. show(wanted), 2) end
end

-- The call fails with just this message, its position taken off.
function check.fails(message, call, ...)
  local ok, problem = pcall(call, ...)
  if ok then error("it did not fail; wanted: " .. message, 2) end
  local text = tostring(problem):gsub("^%S+%.lua:%d+: ", "")
  if text ~= message then error("it failed with: " .. text .. "\nwanted: " .. message, 2) end
end

-- The call gives nil and this reason.
function check.unreadable(reason, value, got)
  if value ~= nil then error("got " .. show(value) .. ", wanted nil and a reason", 2) end
  if got ~= reason then error("the reason is: " .. show(got) .. "\nwanted: " .. reason, 2) end
end

-- The fields of each record, as one string.
function check.ids(results)
  local ids = {}
  for v in results do ids[#ids + 1] = v.id end
  return table.concat(ids)
end

return check
