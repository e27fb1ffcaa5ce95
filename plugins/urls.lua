-- The addresses alone: what players and downloaders take. Only http and https: another program acts on them.

local page = require "yt.page"
local media = require "yt.media"

local forms = {}

function forms.page(v) return v.url end

-- A file that plays, where one is known.
function forms.file(v)
  local file = media.files(v)[1]
  return file and file.url
end

-- The page that other pages frame.
function forms.embed(v)
  local ref = v.url and yt.parse_url(v.url)
  return ref and ref.embed_url
end

-- The address made for sharing, where the service has one.
function forms.short(v)
  local ref = v.url and yt.parse_url(v.url)
  return ref and ref.short_url or v.url
end

function forms.picture(v)
  local picture = page.picture(v)
  return picture and picture.url
end

return {
  summary = "One address a line",
  api = 1,
  options = {
    address = {
      type = "enum", values = { "page", "short", "embed", "file", "picture" }, default = "page",
      help = "which one: of the page, for sharing, of the player, of a media file, of a picture",
    },
  },

  format = function(videos, out, opt)
    local form, without = forms[opt.address], 0
    for v in videos do
      local link = yt.url.link(form(v))
      if link then out:line(link) else without = without + 1 end
    end
    media.tell(without, "no such address of http or https, and no line")
  end,
}
