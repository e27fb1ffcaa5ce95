-- What feeds of all kinds ask of a record: an identity that lasts, and the address of its page.

local page = require "yt.page"

local feed = {}

-- What names a record for good, as an absolute IRI (RFC 4287 wants one). Not its address, which may change. YouTube once
-- gave its videos such names itself; for others one is made of what names them at their service.
function feed.identity(v, link)
  local id, provider = v.id, v.provider
  if not id then return link or "urn:uuid:" .. yt.uuid("untold:" .. (v.title or "")) end
  if provider == "youtube" and id:find("^[%w_@-]+$") then return "tag:youtube.com,2008:" .. v.kind .. ":" .. id end
  return "urn:uuid:" .. yt.uuid((provider or "video") .. ":" .. v.kind .. ":" .. id)
end

-- The records that a feed has: each once, whatever came twice. Gives the record, its page and its identity.
function feed.items(videos)
  local is_new = page.once()
  return function()
    for v in videos do
      local link = yt.url.link(v.url)
      local identity = feed.identity(v, link)
      if is_new(identity) then return v, link, identity end
    end
  end
end

-- When it was published or, where a feed told, changed since; nil where nothing is known.
function feed.changed(v)
  local updated = v.extra.updated
  return math.type(updated) == "integer" and updated or v.published
end

return feed
