-- Columns by name, for formats that let people choose them: a field, a part of its channel (channel.id), or a plugin's own
-- data (extra.NAME).

local columns = {}

local parts = { id = true, title = true, url = true }

-- The names of fields a format was asked for, and the way it writes dates; what is misspelt is an error before anything
-- is written.
function columns.check(names, dates)
  if #names == 0 then error("no columns: name at least one field", 0) end
  local probe = yt.video({})
  for _, name in ipairs(names) do
    local outer, inner = name:match("^(%w+)%.(.+)$")
    if outer == "channel" and not parts[inner] then
      error("there is no column '" .. name .. "'; a channel has channel.id, channel.title and channel.url", 0)
    elseif outer ~= "channel" and outer ~= "extra" then
      probe:get(name)
    end
  end
  if dates then yt.time.format(0, dates) end
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
