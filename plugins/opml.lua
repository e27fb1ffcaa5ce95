-- OPML 2.0: the channels of the videos, as subscriptions that feed readers import. A channel is there once, in the
-- folders where it was if the records come from such a list.

local page = require "yt.page"
local told = require "yt.told"

local top = yt.template([[
<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>{{title}}</title>
    {{#owner}}
    <ownerName>{{.}}</ownerName>
    {{/owner}}
  </head>
  <body>
]], { syntax = "xml" })

local outline = yt.template([[
<outline type="rss" text="{{title}}" title="{{title}}" xmlUrl="{{feed}}"{{#link}} htmlUrl="{{.}}"{{/link}}{{#description}} description="{{.}}"{{/description}}{{#language}} language="{{.}}"{{/language}}/>
]], { syntax = "xml" })

local folder = yt.template([[<outline text="{{name}}" title="{{name}}">]], { syntax = "xml" })

-- The address of the feed that a service has for a channel or a playlist; nil where none is known.
local function address(ref)
  local id, kind = ref.id, ref.kind
  if ref.provider == "youtube" and (kind == "channel" or kind == "playlist") then
    return yt.url.build { base = "https://www.youtube.com/feeds/videos.xml", query = { [kind .. "_id"] = id } }
  end
  if ref.provider == "vimeo" and kind == "user" then return ref.url .. "/videos/rss" end
  if ref.provider == "peertube" and (kind == "channel" or kind == "user") then
    local name = kind == "channel" and "videoChannelName" or "accountName"
    return yt.url.build { base = ref.url, path = "/feeds/videos.xml", query = { [name] = id } }
  end
end

-- What to subscribe to: the record itself where it is a channel, a playlist or somebody's feed, else who published it.
local function subscription(v)
  local channel = v.channel
  local itself = v.kind == "channel" or v.kind == "playlist"
  local link = yt.url.link(itself and v.url or channel.url)
  local feed = v.extra.feed
  feed = type(feed) == "string" and yt.url.link(feed)
  if not feed then
    local ref = link and yt.parse_url(link)
    feed = ref and address(ref)
  end
  if not feed then return nil end
  local title = itself and told.line(v.title) or told.line(channel.title) or told.line(channel.id) or feed
  local description, language
  if itself then description, language = told.text(v.description), v.language end
  return { feed = feed, title = title, link = link, description = description, language = language }
end

-- The names of the folders a record is in, outermost first.
local function folders(v)
  local names = v.extra.folders
  local path = {}
  if type(names) == "table" then
    for _, name in ipairs(names) do
      if type(name) == "string" then path[#path + 1] = told.line(name) end
    end
  end
  return path
end

local function write(out, inside, indent)
  for _, one in ipairs(inside) do
    out:write(indent)
    if one.inside then
      out:fill(folder, one):line()
      write(out, one.inside, indent .. "  ")
      out:line(indent, "</outline>")
    else
      out:fill(outline, one)
    end
  end
end

return {
  summary = "The channels as a list of subscriptions: OPML",
  api = 1,
  options = {
    title = { type = "string", help = "what the list is called; made of the search when absent" },
    owner = { type = "string", help = "whose list it is" },
  },

  format = function(videos, out, opt)
    local head, all = page.ahead(videos)
    out:fill(top, { title = told.text(opt.title) or page.title(head, videos.info), owner = told.text(opt.owner) })
    local root, seen, without = {}, {}, 0
    for v in all do
      local found = subscription(v)
      if not found then
        without = without + 1
      elseif not seen[found.feed] then
        seen[found.feed] = true
        local inside = root
        for _, name in ipairs(folders(v)) do
          local place = inside[name]
          if not place then
            place = { name = name, inside = {} }
            inside[name] = place
            inside[#inside + 1] = place
          end
          inside = place.inside
        end
        inside[#inside + 1] = found
      end
    end
    -- OPML wants one outline at least.
    if #root == 0 then out:line('    <outline text="No subscriptions"/>') end
    write(out, root, "    ")
    out:line("  </body>")
    out:line("</opml>")
    if without > 0 then
      yt.log("warning", without == 1 and "1 record names" or without .. " records name", "no channel whose feed is known")
    end
  end,
}
