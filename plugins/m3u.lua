-- An extended M3U playlist, in UTF-8, for players such as mpv and VLC, which know how to play watch pages. A record
-- without an address is left out; a length that is unknown, as while it is live, is -1.

local media = require "yt.media"
local page = require "yt.page"
local told = require "yt.told"

return {
  summary = "A playlist for players: extended M3U",
  api = 1,
  options = {
    title = { type = "string", help = "what the list is called; made of the search when absent" },
    files = { type = "boolean", default = false, help = "name media files where they are known, not the page to watch" },
    channels = { type = "boolean", default = false, help = "put the channel before the title" },
  },
  fields = { "duration" },

  format = function(videos, out, opt)
    local head, all = page.ahead(videos)
    local without = 0
    out:line("#EXTM3U")
    out:line("#PLAYLIST:", told.line(opt.title) or page.title(head, videos.info))
    for v in all do
      local file = opt.files and media.files(v)[1]
      local link = file and file.url or yt.url.link(v.url)
      if link then
        local title, channel = told.line(v.title) or told.line(v.id) or link, told.line(v.channel.title)
        if opt.channels and channel then title = channel .. " - " .. title end
        local live = v.live_state == "live" or v.live_state == "upcoming"
        out:line("#EXTINF:", not live and v.duration or -1, ",", title)
        out:line(link)
      else
        without = without + 1
      end
    end
    media.tell(without, "no address of http or https, and no line")
  end,
}
