-- JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), an item a line. What it has no place for (lengths, views,
-- broadcasts) is in `_ythost`, which other readers pass over.

local asked = require "yt.asked"
local feed = require "yt.feed"
local media = require "yt.media"
local page = require "yt.page"
local told = require "yt.told"

local function author(channel)
  local name, url = told.text(channel.title), yt.url.link(channel.url)
  if name or url then return { { name = name, url = url } } end
end

local function date(time)
  if time then return yt.time.format(time, "rfc3339") end
end

local function attachments(v)
  local files = media.files(v)
  if #files == 0 then return nil end
  for i, file in ipairs(files) do
    files[i] = {
      url = file.url, mime_type = file.type, size_in_bytes = file.length,
      duration_in_seconds = file.duration or v.duration,
    }
  end
  return files
end

local function item(v, link, identity)
  local picture = page.picture(v)
  local changed = feed.changed(v)
  local title = told.text(v.title)
  return {
    id = identity,
    url = link,
    title = title,
    content_text = told.text(v.description) or title or link or identity,
    image = picture and picture.url,
    date_published = date(v.published),
    date_modified = changed ~= v.published and date(changed) or nil,
    authors = author(v.channel),
    tags = told.texts(v.tags),
    language = v.language,
    attachments = attachments(v),
    _ythost = {
      duration = v.duration, views = v.views, live_state = v.live_state, kind = v.kind, provider = v.provider, id = v.id,
    },
  }
end

return {
  summary = "A JSON Feed",
  api = 1,
  options = {
    title = { type = "string", help = "what the feed is called; made of the search when absent" },
    description = { type = "string", help = "what it is about" },
    link = { type = "string", default = "https://www.youtube.com/", help = "the page it belongs to" },
    self = { type = "string", help = "the address it will have" },
    lang = { type = "string", help = "the language of its titles, such as en" },
  },

  format = function(videos, out, opt)
    local link, itself, lang = asked.link("link", opt.link), asked.link("self", opt.self), asked.lang(opt.lang)
    local head, all = page.ahead(videos)
    local top = yt.json.encode {
      version = "https://jsonfeed.org/version/1.1",
      title = told.text(opt.title) or page.title(head, videos.info),
      description = told.text(opt.description),
      home_page_url = link,
      feed_url = itself,
      language = lang,
    }
    -- The items go where the object's brace was.
    out:write(top:sub(1, -2), ',"items":[')
    local separator = "\n"
    for v, address, identity in feed.items(all) do
      out:write(separator, yt.json.encode(item(v, address, identity)))
      separator = ",\n"
    end
    out:line("\n]}")
  end,
}
