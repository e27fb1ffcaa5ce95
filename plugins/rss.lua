-- RSS 2.0 with Media RSS, as feed readers and validators want it: dates in GMT, a guid that is no address, no "now", so
-- the same videos always give the same bytes.

local page = require "yt.page"

local function element(out, indent, name, text)
  if text ~= nil and text ~= "" then
    out:write(indent, "<", name, ">"):xml(text):line("</", name, ">")
  end
end

local function guid(v)
  if v.provider == "youtube" then return "yt:" .. v.kind .. ":" .. v.id end
  return (v.provider or "video") .. ":" .. v.kind .. ":" .. v.id
end

local function thumbnail(out, indent, picture)
  out:write(indent, '<media:thumbnail url="'):xml(picture.url):write('"')
  if picture.width then out:write(' width="', picture.width, '"') end
  if picture.height then out:write(' height="', picture.height, '"') end
  out:line("/>")
end

-- A guid stands for one item (RSS 2.0), so a record that came before is left out; `seen` has the guids.
local function item(out, v, seen)
  local link = page.link(v.url)
  local name = v.id and guid(v) or link
  if name then
    if seen[name] then return end
    seen[name] = true
  end
  out:line("    <item>")
  element(out, "      ", "title", v.title or v.id or link or "Untitled")
  element(out, "      ", "link", link)
  if v.id then
    out:write('      <guid isPermaLink="false">'):xml(name):line("</guid>")
  elseif link then
    element(out, "      ", "guid", link)
  end
  if v.published then element(out, "      ", "pubDate", yt.time.format(v.published, "rfc822")) end
  element(out, "      ", "description", v.description)
  element(out, "      ", "dc:creator", v.channel.title)
  -- A watch page is no media file, so media:content has no url of its own but a media:player, as Media RSS asks.
  local picture = page.picture(v)
  if link and v.kind == "video" then
    out:write('      <media:content medium="video"')
    if v.duration then out:write(' duration="', v.duration, '"') end
    out:line(">")
    out:write('        <media:player url="'):xml(link):line('"/>')
    if picture then thumbnail(out, "        ", picture) end
    out:line("      </media:content>")
  elseif picture then
    thumbnail(out, "      ", picture)
  end
  out:line("    </item>")
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
    element(out, "    ", "title", title)
    element(out, "    ", "link", page.link(opt.link) or "https://www.youtube.com/")
    element(out, "    ", "description", opt.description or title)
    element(out, "    ", "language", opt.lang)
    if page.link(opt.self) then
      out:write('    <atom:link rel="self" type="application/rss+xml" href="'):xml(opt.self):line('"/>')
    end
    local seen = {}
    for _, v in ipairs(all) do item(out, v, seen) end
    out:line("  </channel>")
    out:line("</rss>")
  end,
}
