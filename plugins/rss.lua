-- RSS 2.0 with Media RSS, as feed readers and validators want it: dates in GMT, a guid that is no address, no "now", so
-- the same videos always give the same bytes.

local page = require "yt.page"
local escape = yt.xml.escape

-- The line of an element, or nothing when there is no text.
local function element(indent, name, text)
  if text == nil or text == "" then return "" end
  return indent .. "<" .. name .. ">" .. escape(text) .. "</" .. name .. ">\n"
end

-- What names an item for good. Not its address, which may change; an item without an id has nothing better, though.
local function identity(id, kind, provider, link)
  if not id then return link end
  return (provider == "youtube" and "yt" or provider or "video") .. ":" .. kind .. ":" .. id
end

local function thumbnail(indent, picture)
  local line = indent .. '<media:thumbnail url="' .. escape(picture.url) .. '"'
  if picture.width then line = line .. ' width="' .. picture.width .. '"' end
  if picture.height then line = line .. ' height="' .. picture.height .. '"' end
  return line .. "/>\n"
end

-- A watch page is no media file, so media:content has no url of its own but a media:player, as Media RSS asks.
local function media(link, duration, picture)
  return '      <media:content medium="video"' .. (duration and ' duration="' .. duration .. '"' or "") .. ">\n"
    .. '        <media:player url="' .. escape(link) .. '"/>\n'
    .. (picture and thumbnail("        ", picture) or "")
    .. "      </media:content>\n"
end

-- A guid stands for one item (RSS 2.0), so a record that came before is left out; `seen` has the guids.
local function item(out, v, seen)
  local id, kind, published = v.id, v.kind, v.published
  local link, picture = yt.url.link(v.url), page.picture(v)
  local guid = identity(id, kind, v.provider, link)
  if guid then
    if seen[guid] then return end
    seen[guid] = true
  end
  local shown = ""
  if link and kind == "video" then
    shown = media(link, v.duration, picture)
  elseif picture then
    shown = thumbnail("      ", picture)
  end
  out:line(
    "    <item>\n",
    element("      ", "title", v.title or id or link or "Untitled"),
    element("      ", "link", link),
    id and '      <guid isPermaLink="false">' .. escape(guid) .. "</guid>\n" or element("      ", "guid", link),
    element("      ", "pubDate", published and yt.time.format(published, "rfc822")),
    element("      ", "description", v.description),
    element("      ", "dc:creator", v.channel.title),
    shown, "    </item>")
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
    local all = videos:list()
    local title = opt.title or page.title(all, videos.info)
    out:line('<?xml version="1.0" encoding="UTF-8"?>')
    out:write('<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"')
    out:line(' xmlns:media="http://search.yahoo.com/mrss/">')
    out:line("  <channel>")
    out:write(
      element("    ", "title", title), element("    ", "link", yt.url.link(opt.link) or "https://www.youtube.com/"),
      element("    ", "description", opt.description or title), element("    ", "language", opt.lang))
    if yt.url.link(opt.self) then
      out:write('    <atom:link rel="self" type="application/rss+xml" href="'):xml(opt.self):line('"/>')
    end
    local seen = {}
    for _, v in ipairs(all) do item(out, v, seen) end
    out:line("  </channel>")
    out:line("</rss>")
  end,
}
