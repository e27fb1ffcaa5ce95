-- Atom 1.0 (RFC 4287) with Media RSS. Everything in it must have a date; there is no "now" in it, so a date that nobody
-- knows is the newest one that is known.

local feed = require "yt.feed"
local media = require "yt.media"
local page = require "yt.page"

local top = yt.template([[
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"{{#lang}} xml:lang="{{.}}"{{/lang}}>
  <id>{{id}}</id>
  <title>{{title}}</title>
  {{#subtitle}}
  <subtitle>{{.}}</subtitle>
  {{/subtitle}}
  <updated>{{updated|rfc3339}}</updated>
  <author>
    <name>{{author}}</name>
  </author>
  <link rel="alternate" type="text/html" href="{{link}}"/>
  {{#self}}
  <link rel="self" type="application/atom+xml" href="{{.}}"/>
  {{/self}}
]], { syntax = "xml" })

-- A watch page is no media file, so media:content has no url of its own but a media:player, as Media RSS asks.
local entry = yt.template([[
  <entry>
    <id>{{identity}}</id>
    <title type="text">{{title or id or link or "Untitled"}}</title>
    {{#link}}
    <link rel="alternate" type="text/html" href="{{.}}"/>
    {{/link}}
    {{#files}}
    <link rel="enclosure" type="{{type}}" href="{{url}}"{{#length}} length="{{.}}"{{/length}}/>
    {{/files}}
    {{#published}}
    <published>{{.|rfc3339}}</published>
    {{/published}}
    <updated>{{changed|rfc3339}}</updated>
    <author>
      <name>{{channel.title or author}}</name>
      {{#channel_link}}
      <uri>{{.}}</uri>
      {{/channel_link}}
    </author>
    {{#tags}}
    <category term="{{.}}"/>
    {{/tags}}
    {{#link}}
    <summary type="text">{{description or title or link}}</summary>
    {{/link}}
    {{^link}}
    <content type="text">{{description or title or identity}}</content>
    {{/link}}
    {{#playable}}
    <media:content medium="video"{{#duration}} duration="{{.}}"{{/duration}}>
      <media:player url="{{link}}"/>
    </media:content>
    {{/playable}}
    {{#picture}}
    <media:thumbnail url="{{url}}"{{#width}} width="{{.}}"{{/width}}{{#height}} height="{{.}}"{{/height}}/>
    {{/picture}}
  </entry>
]], { syntax = "xml" })

return {
  summary = "An Atom feed",
  api = 1,
  options = {
    title = { type = "string", help = "what the feed is called; made of the search when absent" },
    description = { type = "string", help = "what it is about" },
    link = { type = "string", default = "https://www.youtube.com/", help = "the page it belongs to" },
    self = { type = "string", help = "the address it will have" },
    lang = { type = "string", help = "the language of its titles, such as en" },
    author = { type = "string", default = "ythost", help = "who stands for videos of unknown channels" },
    updated = { type = "date", help = "when it was changed; the newest date in it when absent" },
  },

  format = function(videos, out, opt)
    local head, all = page.ahead(videos)
    local title, itself = opt.title or page.title(head, videos.info), yt.url.link(opt.self)
    local newest = opt.updated
    if not newest then
      for _, v in ipairs(head) do
        local changed = feed.changed(v)
        if changed and changed > (newest or 0) then newest = changed end
      end
    end
    newest = newest or 0
    out:fill(top, {
      id = itself or "urn:uuid:" .. yt.uuid("feed:" .. title),
      title = title,
      subtitle = opt.description,
      updated = newest,
      author = opt.author,
      link = yt.url.link(opt.link) or "https://www.youtube.com/",
      self = itself,
      lang = opt.lang,
    })
    for v, link, identity in feed.items(all) do
      out:fill(entry, v, {
        identity = identity,
        link = link,
        changed = feed.changed(v) or newest,
        author = opt.author,
        channel_link = yt.url.link(v.channel.url),
        files = media.files(v),
        playable = link and v.kind == "video",
        picture = page.picture(v),
      })
    end
    out:line("</feed>")
  end,
}
