-- The players of videos as markup to paste into a page: an element a video. What does not play elsewhere becomes a link
-- that says why.

local pictures = require "yt.pictures"

return {
  summary = "The markup of a player a video",
  api = 1,
  options = {
    facade = {
      type = "boolean", default = false,
      help = "pictures that become players when they are clicked; nobody is asked for anything before",
    },
    width = { type = "integer", min = 200, max = 7680, help = "pixels; as wide as there is room when absent" },
    cookies = { type = "boolean", default = false, help = "the services' hosts that remember viewers" },
    player = { type = "string", help = "what the players take: start=1m30s,rel=0" },
  },
  fields = { "embeddable", "availability" },

  format = function(videos, out, opt)
    local parameters = {}
    for name, value in (opt.player or ""):gmatch("([^,=]+)=([^,]*)") do parameters[name] = value end
    for v in videos do
      local picture = opt.facade and pictures.embedded(v)
      out:line((yt.embed(v, {
        facade = opt.facade, width = opt.width, privacy = not opt.cookies, player = parameters,
        picture = picture and picture.url or nil,
      })))
    end
  end,
}
