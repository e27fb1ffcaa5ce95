-- The players of videos as markup to paste into a page: an element a video. What does not play elsewhere becomes a link
-- that says why.

local pictures = require "yt.pictures"

-- What an error says, without where it came from.
local function reason(problem)
  local text = type(problem) == "table" and problem.message or tostring(problem)
  return (text:gsub("^%S+:%d+: ", ""):gsub("^yt%.embed: ", ""))
end

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
    for v in videos do
      local picture = opt.facade and pictures.embedded(v)
      local ok, markup = pcall(yt.embed, v, {
        facade = opt.facade, width = opt.width, privacy = not opt.cookies, parameters = opt.player,
        picture = picture and picture.url or nil,
      })
      if not ok and opt.player then yt.usage("--player " .. opt.player .. ": " .. reason(markup)) end
      if not ok then error(markup, 0) end
      out:line(markup)
    end
  end,
}
