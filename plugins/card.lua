-- One HTML file with a card a page: what a chat client shows below a link. Nothing runs in it, and its policy forbids that
-- anything does; texts and addresses are strangers', so they stand in a template, which escapes them. It asks no server for
-- anything, unless `--thumbnails remote` has it show pictures that are elsewhere.

local asked = require "yt.asked"
local page = require "yt.page"
local pictures = require "yt.pictures"
local told = require "yt.told"

-- The policy names it by its SHA-256, so whoever changes a byte of it has to write the new hash beside it; a test tells
-- which. What stands behind a picture's content shows only where there is no picture, and covers the browser's sign of that.
local style = [[

:root { background: Canvas; color: CanvasText }
body { font: 1rem/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 40rem; padding: 0 1rem }
article { border: 1px solid #8888; border-radius: .5rem; display: flex; gap: 1rem; margin: 1rem 0; overflow: hidden }
img { aspect-ratio: 16/9; flex: none; height: auto; object-fit: cover; position: relative; width: 10rem }
img::after { background: linear-gradient(#8883, #8883), Canvas; content: ""; inset: 0; position: absolute }
article div { min-width: 0; overflow-wrap: anywhere; padding: .75rem 1rem }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin: 0 }
p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; margin: .25rem 0; overflow: hidden }
small { opacity: .75 }
@media (max-width: 30rem) { article { display: block } img { width: 100% } }
]]
local style_hash = "SMPUNvSTnMskijToDQMAxPLK30hLTuoj1TvvIJHtGrI="

local head = yt.template([[
<!DOCTYPE html>
<html lang="{{lang}}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
]])

local card = yt.template([[
<article>
{{#picture}}
{{picture|raw}}
{{/picture}}
<div dir="auto">
<h2>{{#url}}<a href="{{url}}" rel="noopener noreferrer">{{/url}}{{title or url or id or "Untitled"}}{{#url}}</a>{{/url}}</h2>
{{#description}}
<p>{{description}}</p>
{{/description}}
<small>{{site}}{{#author}} · {{author}}{{/author}}{{#duration}} · {{duration|duration}}{{/duration}}{{#published}} · {{published|date}}{{/published}}</small>
</div>
</article>
]])

-- The picture of a record by choice, and what the policy has to allow for it.
local function picture(v, choice)
  local shown = choice == "embed" and pictures.embedded(v) or choice == "remote" and pictures.remote(v)[1]
  if not shown then return nil end
  return shown.url, choice == "embed" and "data:" or pictures.origin(shown.url)
end

-- An image. Its address may be one of the scheme data, which templates take for no address.
local function image(url)
  return '<img src="' .. yt.html.escape(url)
    .. '" alt="" loading="lazy" referrerpolicy="no-referrer" width="320" height="180">'
end

-- What the file may do: show its own style, and pictures from these places.
local function policy(hosts)
  local places = {}
  for place in yt.pairs(hosts) do places[#places + 1] = place end
  return "default-src 'none'; style-src 'sha256-" .. style_hash .. "'; img-src "
    .. (#places > 0 and table.concat(places, " ") or "'none'") .. "; base-uri 'none'; form-action 'none'"
end

return {
  summary = "One HTML file with a card for each page or video",
  api = 1,
  options = {
    title = { type = "string", help = "the title of the file; 'Links' when absent" },
    lang = { type = "string", default = "en", help = "the language of the file, BCP 47" },
    thumbnails = {
      type = "enum", values = { "embed", "none", "remote" }, default = "embed",
      help = "pictures that records carry in themselves, none, or those of the pages, which the file then asks for",
    },
  },
  fields = { "title", "url", "description", "thumbnails", "channel", "duration", "published" },

  format = function(videos, out, opt)
    local lang = asked.lang(opt.lang)
    local first, all = page.ahead(videos)
    local hosts = {}
    for _, v in ipairs(first) do
      local _, host = picture(v, opt.thumbnails)
      if host then hosts[host] = true end
    end
    local title = told.line(opt.title) or "Links"
    out:fill(head, { title = title, lang = lang, policy = policy(hosts) })
    -- As it is, to the byte.
    out:line("<style>", style, "</style>\n</head>\n<body>\n<main>")
    out:write("<h1>"):html(title):line("</h1>")
    for v in all do
      local shown, host = picture(v, opt.thumbnails)
      local about = told.line(v.description)
      out:fill(card, {
        url = yt.url.link(v.url),
        title = told.line(v.title),
        id = told.line(v.id),
        description = about and yt.text.truncate(about, 400),
        picture = host and hosts[host] and image(shown) or nil,
        site = told.line(v.extra.site) or v.provider,
        author = told.line(v.channel.title),
        duration = v.duration,
        published = v.published,
      })
    end
    out:line("</main>\n</body>\n</html>")
  end,
}
