-- Columns by name, for formats that let people choose them.

local columns = {}

-- The names of fields a format was asked for; a misspelt one is an error before anything is written.
function columns.check(names)
  if #names == 0 then error("no columns: name at least one field", 0) end
  local probe = yt.video({})
  for _, name in ipairs(names) do
    probe:get(name)
  end
  return names
end

-- A field as plain text or number, for a cell; nil where it is unknown.
function columns.value(video, name)
  if name == "channel" then return video.channel.title or video.channel.id end
  local value = video:get(name)
  if value == nil then return nil end
  if name == "published" or name == "starts" then return yt.time.format(value) end
  if name == "tags" then return table.concat(value, ", ") end
  if type(value) == "table" then return yt.json.encode(value) end
  return value
end

return columns
