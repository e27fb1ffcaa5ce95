-- Videos under headings: those of a channel, or of a day, together.

local page = require "yt.page"
local told = require "yt.told"

local sections = {}

-- The option of a format that has them. Its values are the ways below.
sections.option = {
  type = "enum", values = { "none", "channel", "day" }, default = "none",
  help = "what belongs under a heading: channel, or day",
}

local ways = {
  channel = function(v) return told.line(v.channel.title) or told.line(v.channel.id) or "Channel unknown" end,
  day = function(v) return v.published and yt.time.format(v.published, "date") or "Date unknown" end,
}

-- Gives what `page.ahead` gives, but in place of an iterator over the videos one over sections: a heading, nil where there
-- shall be none, and an iterator over what belongs under it. Headings come in the order of the first video under each,
-- and all videos are read before the first; without headings `most` are read ahead.
function sections.of(videos, by, most)
  local heading = ways[by]
  if not heading then
    local head, all, whole = page.ahead(videos, most)
    local given = false
    return head, function()
      if given then return nil end
      given = true
      return false, all
    end, whole
  end
  local list = videos:list()
  local groups, at = list:group(heading):list(), 0
  return list, function()
    at = at + 1
    local group = groups[at]
    if group == nil then return nil end
    local i = 0
    return group.key, function()
      i = i + 1
      return group.videos[i]
    end
  end, true
end

return sections
