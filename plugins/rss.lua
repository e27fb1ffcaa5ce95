-- RSS 2.0 with Media RSS, as feed readers and validators want it: dates in GMT, a guid that is no address, no "now", so
-- the same videos always give the same bytes.

local asked = require "yt.asked"
local page = require "yt.page"
local told = require "yt.told"

-- A watch page is no media file, so media:content has no url of its own but a media:player, as Media RSS asks.
local row = yt.template([[
    <item>
      <title>{{name}}</title>
      {{#link}}
      <link>{{.}}</link>
      {{/link}}
      {{#id}}
      <guid isPermaLink="false">{{guid}}</guid>
      {{/id}}
      {{^id}}
      {{#link}}
      <guid>{{.}}</guid>
      {{/link}}
      {{^link}}
      <guid isPermaLink="false">{{guid}}</guid>
      {{/link}}
      {{/id}}
      {{#published}}
      <pubDate>{{.|rfc822}}</pubDate>
      {{/published}}
      {{#about}}
      <description>{{.}}</description>
      {{/about}}
      {{#maker}}
      <dc:creator>{{.}}</dc:creator>
      {{/maker}}
      {{#playable}}
      <media:content medium="video"{{#duration}} duration="{{.}}"{{/duration}}>
        <media:player url="{{link}}"/>
        {{#picture}}
        <media:thumbnail url="{{url}}"{{#width}} width="{{.}}"{{/width}}{{#height}} height="{{.}}"{{/height}}/>
        {{/picture}}
      </media:content>
      {{/playable}}
      {{^playable}}
      {{#picture}}
      <media:thumbnail url="{{url}}"{{#width}} width="{{.}}"{{/width}}{{#height}} height="{{.}}"{{/height}}/>
      {{/picture}}
      {{/playable}}
    </item>
]], { syntax = "xml" })

local top = yt.template([[
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>{{title}}</title>
    <link>{{link}}</link>
    <description>{{description}}</description>
    {{#lang}}
    <language>{{.}}</language>
    {{/lang}}
    {{#self}}
    <atom:link rel="self" type="application/rss+xml" href="{{.}}"/>
    {{/self}}
]], { syntax = "xml" })

-- What names an item for good. Not its address, which may change; an item without an id has nothing better, though.
local function identity(v, kind, link)
  local id, provider = v.id, v.provider
  if not id then return link or "urn:uuid:" .. yt.uuid("untold:" .. (v.title or "")) end
  return (provider == "youtube" and "yt" or provider or "video") .. ":" .. kind .. ":" .. id
end

return {
  summary = "An RSS 2.0 feed",
  api = 1,
  options = {
    title = { type = "string", help = "what the feed is called; made of the search when absent" },
    description = { type = "string", help = "what it is about; the title when absent" },
    link = { type = "string", default = "https://www.youtube.com/", help = "the page it belongs to" },
    self = { type = "string", help = "the address it will have, for atom:link" },
    lang = { type = "string", help = "the language of its titles, such as en" },
  },

  format = function(videos, out, opt)
    local link, itself, lang = asked.link("link", opt.link), asked.link("self", opt.self), asked.lang(opt.lang)
    local head, all = page.ahead(videos)
    local title = told.text(opt.title) or page.title(head, videos.info)
    out:fill(top, {
      title = title,
      link = link,
      description = told.html(opt.description) or told.html(title),
      lang = lang,
      self = itself,
    })
    -- A guid stands for one item (RSS 2.0), so a record that came before is left out.
    local is_new = page.once()
    for v in all do
      local kind, link = v.kind, yt.url.link(v.url)
      local guid = identity(v, kind, link)
      if is_new(guid) then
        out:fill(row, v, {
          name = told.text(v.title) or told.text(v.id) or link or "Untitled",
          about = told.html(v.description),
          maker = told.text(v.channel.title),
          link = link,
          guid = guid,
          picture = page.picture(v),
          playable = link and kind == "video",
        })
      end
    end
    out:line("  </channel>")
    out:line("</rss>")
  end,
}
