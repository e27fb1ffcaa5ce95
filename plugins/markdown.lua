-- Markdown, to paste into a page, a message or a note: a list of links, or a table. Texts go through yt.markdown, so that
-- a title with stars or brackets in it shows as it is.

local columns = require "yt.columns"
local page = require "yt.page"
local sections = require "yt.sections"
local told = require "yt.told"

local escape, link = yt.markdown.escape, yt.markdown.link

local function name(v)
  return link(told.line(v.title) or told.line(v.id) or "Untitled", v.url)
end

local function state(v)
  if v.live_state == "live" then return "LIVE" end
  if v.live_state == "upcoming" then return "UPCOMING" end
  return v.duration and yt.duration.format(v.duration)
end

-- "[Title](…) · [Channel](…) · 2024-07-01 · 1:05:00 · 3,170,000 views", without what is unknown.
local function item(v, dates)
  local parts = { name(v) }
  local function add(text)
    if text and text ~= "" then parts[#parts + 1] = text end
  end
  add(link(told.line(v.channel.title) or "", v.channel.url))
  if v.published then add(escape(yt.time.format(v.published, dates))) end
  add(state(v))
  if v.views then add(yt.text.grouped(v.views) .. (v.views == 1 and " view" or " views")) end
  return table.concat(parts, " · ")
end

-- A function that gives a column of a record as a cell.
local function reader(column, dates)
  if column == "title" then return name end
  if column == "duration" then return function(v) return state(v) or "" end end
  if column == "channel" then
    return function(v) return link(told.line(v.channel.title) or told.line(v.channel.id) or "", v.channel.url) end
  end
  if column == "views" then return function(v) return v.views and yt.text.grouped(v.views) or "" end end
  local read = columns.reader(column, dates)
  return function(v) return escape(told.line(tostring(read(v) or "")) or "") end
end

local function line(out, cells)
  out:line("| ", table.concat(cells, " | "), " |")
end

local right = { duration = true, views = true, likes = true, comments = true, score = true }

local function header(out, names)
  local titles, rule = {}, {}
  for i, column in ipairs(names) do
    titles[i] = escape(column:sub(1, 1):upper() .. column:sub(2))
    rule[i] = right[column] and "---:" or "---"
  end
  line(out, titles)
  line(out, rule)
end

local styles = {}

function styles.list(videos, out, opt)
  for v in videos do out:line("- ", item(v, opt.dates)) end
end

function styles.numbered(videos, out, opt)
  local i = 0
  for v in videos do
    i = i + 1
    out:line(i, ". ", item(v, opt.dates))
  end
end

function styles.table(videos, out, opt)
  header(out, opt.columns)
  local readers = {}
  for i, column in ipairs(opt.columns) do readers[i] = reader(column, opt.dates) end
  for v in videos do
    local cells = {}
    for i, read in ipairs(readers) do cells[i] = read(v) end
    line(out, cells)
  end
end

return {
  summary = "Markdown: a list of links, or a table",
  api = 1,
  options = {
    title = { type = "string", help = "the heading; made of the search when absent, none when empty" },
    style = { type = "enum", values = { "list", "numbered", "table" }, default = "list", help = "what the videos stand in" },
    columns = { type = "list", default = "published,duration,views,title,channel", help = "fields of a table, in this order" },
    group = sections.option,
    dates = columns.dates("date"),
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    columns.check(opt.columns, opt.dates)
    local head, all = sections.of(videos, opt.group)
    local title = told.line(opt.title or page.title(head, videos.info))
    local above = ""
    if title then
      out:line("# ", escape(title))
      above = "\n"
    end
    for heading, inside in all do
      if heading then
        out:line(above, "## ", escape(heading))
        above = "\n"
      end
      out:write(above)
      styles[opt.style](inside, out, opt)
      above = "\n"
    end
  end,
}
