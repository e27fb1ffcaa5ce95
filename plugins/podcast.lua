-- A podcast: RSS 2.0 with the vocabularies of iTunes and of the podcast namespace. Only records with a media file can be
-- in it, such as those of feeds; directories also want a language, a genre, a cover and an owner with an address.

local asked = require "yt.asked"
local feed = require "yt.feed"
local media = require "yt.media"
local page = require "yt.page"
local told = require "yt.told"

local top = yt.template([[
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
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
    {{#author}}
    <itunes:author>{{.}}</itunes:author>
    {{/author}}
    {{#genre}}
    {{#inner_genre}}
    <itunes:category text="{{genre}}">
      <itunes:category text="{{.}}"/>
    </itunes:category>
    {{/inner_genre}}
    {{^inner_genre}}
    <itunes:category text="{{genre}}"/>
    {{/inner_genre}}
    {{/genre}}
    <itunes:explicit>{{explicit}}</itunes:explicit>
    {{#mail}}
    <itunes:owner>
      {{#author}}
      <itunes:name>{{.}}</itunes:name>
      {{/author}}
      <itunes:email>{{.}}</itunes:email>
    </itunes:owner>
    {{/mail}}
    {{#cover}}
    <itunes:image href="{{.}}"/>
    {{/cover}}
    {{#guid}}
    <podcast:guid>{{.}}</podcast:guid>
    {{/guid}}
    <podcast:medium>{{medium}}</podcast:medium>
]], { syntax = "xml" })

local item = yt.template([[
    <item>
      <title>{{name}}</title>
      {{#link}}
      <link>{{.}}</link>
      {{/link}}
      <guid isPermaLink="false">{{identity}}</guid>
      {{#published}}
      <pubDate>{{.|rfc822}}</pubDate>
      {{/published}}
      {{#about}}
      <description>{{.}}</description>
      {{/about}}
      {{#maker}}
      <dc:creator>{{.}}</dc:creator>
      {{/maker}}
      <enclosure url="{{file.url}}" length="{{length}}" type="{{file.type}}"/>
      {{#seconds}}
      <itunes:duration>{{.}}</itunes:duration>
      {{/seconds}}
      {{#season}}
      <itunes:season>{{.}}</itunes:season>
      {{/season}}
      {{#episode}}
      <itunes:episode>{{.}}</itunes:episode>
      {{/episode}}
      {{#picture}}
      <itunes:image href="{{.}}"/>
      {{/picture}}
    </item>
]], { syntax = "xml" })

-- Files that every player takes come first (https://podcasters.apple.com/support/893-audio-requirements).
local preferred = { ["audio/mpeg"] = 1, ["audio/x-m4a"] = 2, ["video/mp4"] = 3, ["video/x-m4v"] = 4, ["video/quicktime"] = 5 }

local function best(v)
  local found
  for _, file in ipairs(media.files(v)) do
    if not found or (preferred[file.type] or 9) < (preferred[found.type] or 9) then found = file end
  end
  return found
end

-- The feed's identity (podcastindex.org): made of its address, without the scheme and slashes at its end.
local function guid(itself)
  local name = itself:gsub("^%a+://", ""):gsub("/+$", "")
  return yt.uuid(name, "ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
end

local function whole(number)
  if math.type(number) == "integer" and number >= 0 then return number end
end

return {
  summary = "A podcast feed of the records that have a media file",
  api = 1,
  options = {
    title = { type = "string", help = "what the podcast is called; made of the search when absent" },
    description = { type = "string", help = "what it is about; the title when absent" },
    link = { type = "string", default = "https://www.youtube.com/", help = "the page it belongs to" },
    self = { type = "string", help = "the address it will have" },
    lang = { type = "string", help = "the language that is spoken, such as en" },
    author = { type = "string", help = "who makes it" },
    mail = { type = "string", help = "how directories reach the owner" },
    genre = { type = "string", help = "the category in directories, such as Education" },
    cover = { type = "string", help = "the address of a square picture" },
    explicit = { type = "boolean", default = false, help = "say that it is not for children" },
  },
  fields = { "duration" },

  format = function(videos, out, opt)
    local link_of_all, itself = asked.link("link", opt.link), asked.link("self", opt.self)
    local cover, lang, mail = asked.link("cover", opt.cover), asked.lang(opt.lang), asked.mail(opt.mail)
    local genre, inner_genre = asked.genre(opt.genre)
    local head, all = page.ahead(videos)
    local medium = "podcast"
    for _, v in ipairs(head) do
      local file = best(v)
      if file then
        medium = file.type:find("^video/") and "video" or medium
        break
      end
    end
    local title = told.text(opt.title) or page.title(head, videos.info)
    out:fill(top, {
      title = title,
      link = link_of_all,
      description = told.html(opt.description) or told.html(title),
      lang = lang,
      self = itself,
      author = told.text(opt.author),
      mail = mail,
      genre = genre,
      inner_genre = inner_genre,
      cover = cover,
      explicit = tostring(opt.explicit),
      guid = itself and guid(itself),
      medium = medium,
    })
    local without = 0
    for v, link, identity in feed.items(all) do
      local file = best(v)
      if file then
        local picture = page.picture(v)
        out:fill(item, v, {
          identity = identity,
          name = told.text(v.title) or told.text(v.id) or link or "Untitled",
          about = told.html(v.description),
          maker = told.text(v.channel.title),
          link = link,
          file = file,
          length = file.length or 0,
          seconds = file.duration or v.duration,
          season = whole(v.extra.season),
          episode = whole(v.extra.episode),
          picture = picture and picture.url,
        })
      else
        without = without + 1
      end
    end
    out:line("  </channel>")
    out:line("</rss>")
    media.tell(without, "no media file, and can be no episode")
  end,
}
