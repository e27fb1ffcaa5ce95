-- Atom 1.0 (RFC 4287) with Media RSS. Everything in it must have a date; there is no "now" in it, so a date that nobody
-- knows is the newest one that is known.

local asked = require "yt.asked"
local feed = require "yt.feed"
local media = require "yt.media"
local page = require "yt.page"
local told = require "yt.told"

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
    <title type="text">{{name}}</title>
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
      <name>{{maker}}</name>
      {{#channel_link}}
      <uri>{{.}}</uri>
      {{/channel_link}}
    </author>
    {{#terms}}
    <category term="{{.}}"/>
    {{/terms}}
    {{#link}}
    <summary type="text">{{about or summary or link}}</summary>
    {{/link}}
    {{^link}}
    <content type="text">{{about or summary or identity}}</content>
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
    local link_of_all, itself, lang = asked.link("link", opt.link), asked.link("self", opt.self), asked.lang(opt.lang)
    local head, all = page.ahead(videos)
    local title = told.text(opt.title) or page.title(head, videos.info)
    local author = told.text(opt.author) or "ythost"
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
      subtitle = told.text(opt.description),
      updated = newest,
      author = author,
      link = link_of_all,
      self = itself,
      lang = lang,
    })
    for v, link, identity in feed.items(all) do
      out:fill(entry, v, {
        identity = identity,
        name = told.text(v.title) or told.text(v.id) or link or "Untitled",
        about = told.text(v.description),
        summary = told.text(v.title),
        link = link,
        changed = feed.changed(v) or newest,
        maker = told.text(v.channel.title) or author,
        terms = told.texts(v.tags),
        channel_link = yt.url.link(v.channel.url),
        files = media.files(v),
        playable = link and v.kind == "video",
        picture = page.picture(v),
      })
    end
    out:line("</feed>")
  end,
}
