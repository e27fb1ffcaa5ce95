-- A table for people. The first rows say how wide its columns are; then it is printed, and the others follow as they
-- come. Only titles, channels and other texts are ever cut, never numbers; where that is not enough, columns that nobody
-- asked for are left out.

local columns = require "yt.columns"
local pictures = require "yt.pictures"
local sections = require "yt.sections"
local told = require "yt.told"

local headers = {
  duration = "LENGTH", published = "DATE", live_state = "LIVE", short_evidence = "EVIDENCE", found_in = "FOUND IN",
}
local counts = { views = true, likes = true, comments = true }
local right = { duration = true, views = true, likes = true, comments = true, score = true }
local usual = { "published", "duration", "views", "title", "channel", "id" }
-- Those of them that a narrow terminal does without, first to last.
local spare = { "views", "channel", "published", "id" }
-- Texts may be cut to fit, well down to so many columns; addresses and ids are of no use when they are cut.
local shrinks = { title = 16, channel = 10, ["channel.title"] = 10, description = 16, tags = 10 }
local most = { title = 72, channel = 28, ["channel.title"] = 28, description = 60, tags = 40 }

-- Rows that the widths are made of, at most. On a terminal, where somebody waits, fewer: no more than are at hand, too.
local first_rows = { terminal = 100, elsewhere = 1000 }

local function length(v)
  local state = v:get("live_state")
  if state == "live" then return "LIVE" end
  if state == "upcoming" then return "UPCOMING" end
  local seconds = v:get("duration")
  return seconds and yt.duration.format(seconds)
end

-- A function that gives a column of a record as a text on one line; counts are numbers, which are written once it is
-- known how much room there is.
local function reader(name, dates)
  if counts[name] then return function(v) return v:get(name) or "-" end end
  if name == "duration" then return function(v) return length(v) or "-" end end
  local read, longest = columns.reader(name, dates), most[name] or math.huge
  return function(v)
    local value = read(v)
    value = value ~= nil and told.line(tostring(value))
    if not value then return "-" end
    -- No text is wider than it has bytes.
    return #value > longest and yt.text.truncate(value, longest) or value
  end
end

local ways = { grouped = yt.text.grouped, compact = yt.text.compact, plain = tostring }

local function written(cell, numbers)
  return type(cell) == "number" and ways[numbers](cell) or cell
end

-- Columns that a cell takes; what stands on the right is plain digits and letters.
local function width_of(cell, name)
  return right[name] and #cell or yt.text.width(cell)
end

-- How wide each column is, with counts written in that way.
local function natural(names, rows, header, numbers)
  local widths = {}
  for i, name in ipairs(names) do
    widths[i] = header and yt.text.width(headers[name] or name) or 1
    for _, row in ipairs(rows) do
      local width = width_of(written(row[i], numbers), names[i])
      if width > widths[i] then widths[i] = width end
    end
  end
  return widths
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

-- Takes so many columns from the widest texts, at last more than is well.
local function squeeze(names, shown, widths, over)
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
end

-- Makes the line as wide as there is room: writes counts short, leaves out spare columns, then takes from the texts.
-- Gives the positions of the columns that are left, their widths, and how counts are written.
local function fit(names, rows, room, opt)
  local shown = {}
  for i in ipairs(names) do shown[i] = i end
  local numbers = opt.numbers == "auto" and "grouped" or opt.numbers
  local widths = natural(names, rows, opt.header, numbers)
  if opt.numbers == "auto" and total(names, shown, widths) > room then
    numbers = "compact"
    widths = natural(names, rows, opt.header, numbers)
  end
  for _, name in ipairs(opt.columns and {} or spare) do
    if total(names, shown, widths, true) <= room then break end
    for at, i in ipairs(shown) do
      if names[i] == name then table.remove(shown, at) break end
    end
  end
  squeeze(names, shown, widths, total(names, shown, widths) - room)
  return shown, widths, numbers
end

-- A later row may have a wider number than those before: then its own texts give way, and the line stays in its room.
local function widths_of(row, names, shown, widths, numbers)
  local own
  for _, i in ipairs(shown) do
    local width = not shrinks[names[i]] and width_of(written(row[i], numbers), names[i]) or 0
    if width > widths[i] then
      own = own or table.move(widths, 1, #widths, 1, {})
      local before = own[i]
      own[i] = width
      squeeze(names, shown, own, width - before)
    end
  end
  return own or widths
end

-- Where the text of a cell leads.
local links = {
  title = function(v) return v.url end,
  id = function(v) return v.url end,
  url = function(v) return v.url end,
  channel = function(v) return v.channel.url end,
}

-- Writes rows under one another. `row.link` says where a cell leads, on a terminal that makes links of text.
local function printer(out, names, shown, widths, numbers)
  return function(row)
    local own = widths_of(row, names, shown, widths, numbers)
    local parts, blank = {}, ""
    for at, i in ipairs(shown) do
      local name = names[i]
      local cell = written(row[i], numbers)
      if shrinks[name] and #cell > own[i] then cell = yt.text.truncate(cell, own[i]) end
      local room = (" "):rep(own[i] - width_of(cell, name))
      if at > 1 then blank = blank .. "  " end
      -- Blanks wait for what comes after them, so that no line ends in any.
      if right[name] then blank = blank .. room end
      parts[#parts + 1] = blank
      if row.link and links[name] then
        out:write(table.concat(parts))
        out:link(cell, links[name](row.link))
        parts = {}
      else
        parts[#parts + 1] = cell
      end
      blank = right[name] and "" or room
    end
    out:write(table.concat(parts))
  end
end

local function bold(out, write)
  if out.color then out:write("\27[1m") end
  write()
  if out.color then out:write("\27[0m") end
end

local function heading(out, text, room)
  out:line()
  bold(out, function() out:write(yt.text.truncate(text, math.min(room, 1000))) end)
  out:line()
end

return {
  summary = "A table for people, as wide as the terminal",
  api = 1,
  options = {
    columns = { type = "list", help = "fields to show, in this order; " .. table.concat(usual, ",") .. " when absent" },
    width = { type = "integer", min = 20, max = 1000, help = "columns a line may have; the terminal's when absent" },
    header = { type = "boolean", default = true, help = "begin with the names of the columns" },
    dates = columns.dates("date"),
    numbers = {
      type = "enum", values = { "auto", "grouped", "compact", "plain" }, default = "auto",
      help = "counts as 3,170,000, as 3.2M or as 3170000; grouped where there is room",
    },
    group = sections.option,
    thumbnails = { type = "boolean", default = false, help = "a picture below each row, where its record names some" },
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    local names, readers = columns.check(opt.columns or usual, opt.dates), {}
    for i, name in ipairs(names) do readers[i] = reader(name, opt.dates) end
    local room = opt.width or out.columns or math.huge
    local enough = opt.group ~= "none" and math.huge or out.terminal and first_rows.terminal or first_rows.elsewhere
    local held, print_row = {}, nil
    local carrier = opt.thumbnails and pictures.carrier { width = math.min(room, 40), height = 12 }

    local function print(row)
      print_row(row)
      out:line()
      if row.picture then out:line(row.picture) end
    end

    local function begin()
      print_row = printer(out, names, fit(names, held, room, opt))
      if opt.header and #held > 0 then
        local row = {}
        for i, name in ipairs(names) do row[i] = (headers[name] or name):upper() end
        bold(out, function() print_row(row) end)
        out:line()
      end
      for _, row in ipairs(held) do
        if row.heading then heading(out, row.heading, room) end
        print(row)
      end
      held = nil
    end

    -- The videos, and before one that has to be waited for the rows that are there.
    local last
    local function as_they_come()
      local v = videos:at_hand()
      if v == nil then
        if not print_row and #held > 0 then begin() end
        v = videos(nil, last)
      end
      last = v
      return v
    end

    local waits = out.terminal and opt.group == "none"
    local _, all = sections.of(waits and as_they_come or videos, opt.group, 0)
    for title, inside in all do
      local above = title
      for v, picture in carrier and carrier.over(inside) or inside do
        local row = {}
        for i, read in ipairs(readers) do row[i] = read(v) end
        row.picture = carrier and picture and picture.url
        if out.links then row.link = v end
        if print_row then
          print(row)
        else
          row.heading, above = above, nil
          held[#held + 1] = row
          if #held == enough then begin() end
        end
      end
    end
    if not print_row then begin() end
    if carrier then carrier.tell() end
  end,
}
