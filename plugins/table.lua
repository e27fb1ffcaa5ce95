-- A table for people. Column widths come from all rows, so it is printed when the last one has arrived. Only titles,
-- channels and other texts are ever cut, never numbers.

local columns = require "yt.columns"

local headers = {
  duration = "LENGTH", published = "DATE", live_state = "LIVE", short_evidence = "EVIDENCE", found_in = "FOUND IN",
}
local right = { duration = true, views = true, likes = true, comments = true, score = true }
-- Texts may be cut to fit, down to so many columns; addresses and ids are of no use when they are cut.
local shrinks = { title = 20, channel = 10, description = 20, tags = 10 }
local most = { title = 72, channel = 28, description = 60, tags = 40 }

local function length(v)
  local state = v:get("live_state")
  if state == "live" then return "LIVE" end
  if state == "upcoming" then return "UPCOMING" end
  local seconds = v:get("duration")
  return seconds and yt.duration.format(seconds)
end

local function cell(v, name)
  if name == "duration" then return length(v) end
  local value = v:get(name)
  if value == nil then return nil end
  if name == "published" or name == "starts" then return yt.time.format(value, "date") end
  if name == "views" or name == "likes" or name == "comments" then return yt.text.compact(value) end
  return columns.value(v, name)
end

-- Takes columns away from the widest text until the line fits; what cannot shrink stays.
local function fit(names, widths, room)
  local total = (#names - 1) * 2
  for i in ipairs(names) do total = total + widths[i] end
  while total > room do
    local widest
    for i, name in ipairs(names) do
      local least = shrinks[name]
      if least and widths[i] > least and (not widest or widths[i] > widths[widest]) then widest = i end
    end
    if not widest then return end
    widths[widest] = widths[widest] - 1
    total = total - 1
  end
end

return {
  summary = "A table for people, as wide as the terminal",
  api = 1,
  options = {
    columns = { type = "list", default = "published,duration,views,title,channel,id", help = "fields to show, in this order" },
    width = { type = "integer", min = 20, max = 1000, help = "columns a line may have; the terminal's when absent" },
    header = { type = "boolean", default = true, help = "begin with the names of the columns" },
  },

  format = function(videos, out, opt)
    local names = columns.check(opt.columns)
    local widths, rows = {}, {}
    for i, name in ipairs(names) do
      widths[i] = 1
      if opt.header then widths[i] = yt.text.width(headers[name] or name) end
    end
    for v in videos do
      local row = {}
      for i, name in ipairs(names) do
        local value = cell(v, name)
        local text = value == nil and "-" or yt.text.clean(tostring(value))
        if most[name] then text = yt.text.truncate(text, most[name]) end
        row[i] = text
        local width = yt.text.width(text)
        if width > widths[i] then widths[i] = width end
      end
      rows[#rows + 1] = row
    end
    if #rows == 0 then return end

    local room = opt.width or out.columns
    if room then fit(names, widths, room) end
    local function line(row)
      local cells = {}
      for i, name in ipairs(names) do
        local text = shrinks[name] and yt.text.truncate(row[i], widths[i]) or row[i]
        cells[i] = yt.text.pad(text, widths[i], right[name] and "right" or "left")
      end
      out:line((table.concat(cells, "  "):gsub(" +$", "")))
    end
    if opt.header then
      local row = {}
      for i, name in ipairs(names) do row[i] = (headers[name] or name):upper() end
      line(row)
    end
    for _, row in ipairs(rows) do line(row) end
  end,
}
