-- The addresses alone: what players and downloaders take. Only http and https: another program acts on them.

local page = require "yt.page"

return {
  summary = "One address a line",
  api = 1,

  format = function(videos, out)
    for v in videos do
      local link = yt.url.link(v.url)
      if link then out:line(link) end
    end
  end,
}
