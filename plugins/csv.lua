-- CSV as RFC 4180 has it: a header, CRLF at line ends, quotes only where they are needed. Unknown is an empty field.

local columns = require "yt.columns"

return {
  summary = "A spreadsheet: CSV with a header",
  api = 1,
  options = {
    columns = { type = "list", default = "id,title,channel,published,duration,views,url", help = "fields to write, in this order" },
    spreadsheet = { type = "boolean", default = false, help = "defuse cells that a spreadsheet would take for formulas" },
  },

  format = function(videos, out, opt)
    local names = columns.check(opt.columns)
    out:write(yt.csv.row(names), "\r\n")
    for v in videos do
      local row = {}
      for i, name in ipairs(names) do
        row[i] = columns.value(v, name)
      end
      out:write(yt.csv.row(row, { columns = #names, safe = opt.spreadsheet }), "\r\n")
    end
  end,
}
