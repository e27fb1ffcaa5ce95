-- Columns by name, for formats that let people choose them: a field, a part of its channel (channel.id), or a plugin's own
-- data (extra.NAME).

local columns = {}

local parts = { id = true, title = true, url = true }

-- What an error says, without the place in this file.
local function reason(problem)
  return type(problem) == "table" and problem.message or tostring(problem):gsub("^%S+:%d+: ", "")
end

-- The names of fields a format was asked for, and the way it writes dates; what is misspelt is told before anything is
-- written.
function columns.check(names, dates)
  if #names == 0 then yt.usage("--columns: name at least one field", "--columns id,title,url") end
  local probe = yt.video({})
  for _, name in ipairs(names) do
    local outer, inner = name:match("^(%w+)%.(.+)$")
    if outer == "channel" then
      if not parts[inner] then
        yt.usage("--columns: there is no column '" .. name .. "'", "there are channel.id, channel.title and channel.url")
      end
    elseif outer ~= "extra" then
      local ok, problem = pcall(probe.get, probe, name)
      if not ok then yt.usage("--columns: " .. reason(problem)) end
    end
  end
  if dates then
    local ok, problem = pcall(yt.time.format, 0, dates)
    if not ok then yt.usage("--dates: " .. reason(problem)) end
  end
  return names
end

-- The option of a format that says how dates are written.
function columns.dates(default)
  return {
    type = "string", default = default,
    help = "how dates are written: date, rfc3339, rfc822, ago, or a pattern such as %d.%m.%Y",
  }
end

-- A field as plain text or number, for a cell; nil where it is unknown.
function columns.value(video, name, dates)
  if name == "channel" then return video.channel.title or video.channel.id end
  local value
  local outer, inner = name:match("^(%w+)%.(.+)$")
  if outer == "channel" then
    return video.channel[inner]
  elseif outer == "extra" then
    value = video.extra[inner]
  else
    value = video:get(name)
  end
  if value == nil then return nil end
  if name == "published" or name == "starts" then return yt.time.format(value, dates) end
  if name == "tags" then return table.concat(value, ", ") end
  if type(value) == "table" then return yt.json.encode(value) end
  return value
end

return columns
