-- CSV as RFC 4180 has it: a header, CRLF at line ends, quotes only where they are needed. Unknown is an empty field.

local columns = require "yt.columns"

local separators = { comma = ",", semicolon = ";", tab = "tab" }

-- A row for spreadsheets, cell by cell: an id may begin with a hyphen, and has to stay what it is.
local function defused(names, row, separator)
  local cells = {}
  for i, name in ipairs(names) do
    local value = row[i]
    local is_id = (name == "id" or name == "channel.id") and value and value:find("^[%w_-]+$")
    cells[i] = value == nil and "" or yt.csv.row({ value }, { safe = not is_id, separator = separator })
  end
  return table.concat(cells, separator == "tab" and "\t" or separator)
end

return {
  summary = "A spreadsheet: CSV with a header",
  api = 1,
  options = {
    columns = { type = "list", default = "id,title,channel,published,duration,views,url", help = "fields to write, in this order" },
    dates = columns.dates("rfc3339"),
    header = { type = "boolean", default = true, help = "begin with the names of the columns" },
    separator = { type = "enum", values = { "comma", "semicolon", "tab" }, default = "comma", help = "what stands between fields" },
    bom = { type = "boolean", default = false, help = "begin with a byte order mark, by which Excel knows UTF-8" },
    spreadsheet = { type = "boolean", default = false, help = "defuse cells that a spreadsheet would take for formulas" },
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    local names = columns.check(opt.columns, opt.dates)
    local separator = separators[opt.separator]
    if opt.bom then out:write("\u{FEFF}") end
    if opt.header then out:write(yt.csv.row(names, { separator = separator }), "\r\n") end
    local readers = {}
    for i, name in ipairs(names) do readers[i] = columns.reader(name, opt.dates) end
    for v in videos do
      local row = {}
      for i, read in ipairs(readers) do row[i] = read(v) end
      out:write(opt.spreadsheet and defused(names, row, separator)
        or yt.csv.row(row, { columns = #names, separator = separator }), "\r\n")
    end
  end,
}
