-- One HTML file with a card a page: what a chat client shows below a link. Nothing runs in it, and its policy forbids that
-- anything does; texts and addresses are strangers', so they stand in a template, which escapes them. Pictures are asked
-- of their servers when the file is read, unless `--no-pictures` leaves them out.

local page = require "yt.page"

local head = yt.template([[
<!DOCTYPE html>
<html lang="{{lang}}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>
body { font: 1rem/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 40rem; padding: 0 1rem }
article { border: 1px solid #8888; border-radius: .5rem; display: flex; gap: 1rem; margin: 1rem 0; overflow: hidden }
img { aspect-ratio: 16/9; flex: none; height: auto; object-fit: cover; width: 10rem }
article div { min-width: 0; overflow-wrap: anywhere; padding: .75rem 1rem }
h2 { font-size: 1.1rem; margin: 0 }
p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; margin: .25rem 0; overflow: hidden }
small { opacity: .75 }
@media (max-width: 30rem) { article { display: block } img { width: 100% } }
</style>
</head>
<body>
<main>
]])

local card = yt.template([[
<article>
{{#picture}}
<img src="{{picture}}" alt="" loading="lazy" width="320" height="180">
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

-- One line without control characters; nil where nothing is left to show.
local function tidy(text, columns)
  local line = text and yt.text.clean(text):match("^%s*(.-)%s*$")
  if line == nil or line == "" then return nil end
  return columns and yt.text.truncate(line, columns) or line
end

return {
  summary = "One HTML file with a card for each page or video",
  api = 1,
  options = {
    title = { type = "string", help = "the title of the file; 'Links' when absent" },
    lang = { type = "string", default = "en", help = "the language of the file, BCP 47" },
    pictures = { type = "boolean", default = true, help = "show pictures, which are asked of their servers" },
  },
  fields = { "title", "url", "description", "thumbnails", "channel", "duration", "published" },

  format = function(videos, out, opt)
    out:fill(head, { title = opt.title or "Links", lang = opt.lang })
    for v in videos do
      local picture = opt.pictures and page.picture(v)
      out:fill(card, {
        url = yt.url.link(v.url),
        title = tidy(v.title),
        id = tidy(v.id),
        description = tidy(v.description, 400),
        picture = picture and yt.url.link(picture.url) or nil,
        site = tidy(v.extra.site) or v.provider,
        author = tidy(v.channel.title),
        duration = v.duration,
        published = v.published,
      })
    end
    out:line("</main>\n</body>\n</html>")
  end,
}
