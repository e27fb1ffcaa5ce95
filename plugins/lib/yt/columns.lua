-- Columns by name, for formats that let people choose them: a field, a part of its channel (channel.id), or a plugin's own
-- data (extra.NAME).

local told = require "yt.told"

local columns = {}

-- What a pattern of dates may have behind a percent sign.
local conversions = "YmdHMSyejaAbhBpPIklZzsCFTDRrcxXuwUWVGgnt%"

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
  if dates then columns.check_dates(dates) end
  return names
end

-- Refuses a way of writing dates that would put something else in their place.
function columns.check_dates(dates)
  local ok, problem = pcall(yt.time.format, 0, dates)
  if not ok then yt.usage("--dates: " .. reason(problem)) end
  if not dates:find("%", 1, true) then return end
  for letter in dates:gmatch("%%(.?[\x80-\xBF]*)") do
    if letter == "" or not conversions:find(letter, 1, true) then
      yt.usage("--dates: %" .. letter .. " stands for nothing", "a pattern such as %d.%m.%Y; %% is a percent sign")
    end
  end
end

-- The option of a format that says how dates are written.
function columns.dates(default)
  return {
    type = "string", default = default,
    help = "how dates are written: date, rfc3339, rfc822, ago, or a pattern such as %d.%m.%Y",
  }
end

local function plain(value)
  if value ~= nil and type(value) == "table" then return yt.json.encode(value) end
  return value
end

-- A function that gives a column of a record as plain text or number, for a cell; nil where it is unknown.
function columns.reader(name, dates)
  if name == "channel" then
    return function(v)
      local channel = v.channel
      return told.line(channel.title) and channel.title or channel.id
    end
  end
  if name == "published" or name == "starts" then
    return function(v)
      local value = v:get(name)
      return value and yt.time.format(value, dates)
    end
  end
  if name == "tags" then
    return function(v)
      local value = v:get("tags")
      return value and table.concat(value, ", ")
    end
  end
  local outer, inner = name:match("^(%w+)%.(.+)$")
  if outer == "channel" then return function(v) return v.channel[inner] end end
  if outer == "extra" then return function(v) return plain(v.extra[inner]) end end
  return function(v) return plain(v:get(name)) end
end

return columns
