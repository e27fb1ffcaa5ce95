-- A table for people. Column widths come from all rows, so it is printed when the last one has arrived. Only titles,
-- channels and other texts are ever cut, never numbers; where that is not enough, columns that nobody asked for are left
-- out.

local columns = require "yt.columns"

local headers = {
  duration = "LENGTH", published = "DATE", live_state = "LIVE", short_evidence = "EVIDENCE", found_in = "FOUND IN",
}
local right = { duration = true, views = true, likes = true, comments = true, score = true }
local usual = { "published", "duration", "views", "title", "channel", "id" }
-- Those of them that a narrow terminal does without, first to last.
local spare = { "views", "channel", "published", "id" }
-- Texts may be cut to fit, well down to so many columns; addresses and ids are of no use when they are cut.
local shrinks = { title = 16, channel = 10, description = 16, tags = 10 }
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

-- How wide a line of these columns is, or how wide with its texts cut as far as they can well be.
local function total(names, shown, widths, cut)
  local sum = (#shown - 1) * 2
  for _, i in ipairs(shown) do
    local least = cut and shrinks[names[i]] or widths[i]
    sum = sum + math.min(widths[i], least)
  end
  return sum
end

-- Makes the line as wide as there is room: leaves out spare columns, then takes from the widest text, at last more than
-- is well. Gives the positions of the columns that are left.
local function fit(names, widths, room, chosen)
  local shown = {}
  for i in ipairs(names) do shown[i] = i end
  for _, name in ipairs(chosen and {} or spare) do
    if total(names, shown, widths, true) <= room then break end
    for at, i in ipairs(shown) do
      if names[i] == name then table.remove(shown, at) break end
    end
  end
  local over = total(names, shown, widths) - room
  for _, well in ipairs { true, false } do
    while over > 0 do
      local widest
      for _, i in ipairs(shown) do
        local least = shrinks[names[i]] and (well and shrinks[names[i]] or 1)
        if least and widths[i] > least and (not widest or widths[i] > widths[widest]) then widest = i end
      end
      if not widest then break end
      widths[widest] = widths[widest] - 1
      over = over - 1
    end
  end
  return shown
end

return {
  summary = "A table for people, as wide as the terminal",
  api = 1,
  options = {
    columns = { type = "list", help = "fields to show, in this order; " .. table.concat(usual, ",") .. " when absent" },
    width = { type = "integer", min = 20, max = 1000, help = "columns a line may have; the terminal's when absent" },
    header = { type = "boolean", default = true, help = "begin with the names of the columns" },
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    local names = opt.columns and columns.check(opt.columns) or usual
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

    local shown = fit(names, widths, opt.width or out.columns or math.huge, opt.columns ~= nil)
    local function line(row)
      local cells = {}
      for at, i in ipairs(shown) do
        local name = names[i]
        local text = shrinks[name] and yt.text.truncate(row[i], widths[i]) or row[i]
        cells[at] = yt.text.pad(text, widths[i], right[name] and "right" or "left")
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
