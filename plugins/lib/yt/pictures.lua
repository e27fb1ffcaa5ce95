-- Pictures for pages: those that a record carries in itself, and those that a page may fetch.

local pictures = {}

-- A picture in the record itself is an address of the scheme data. Nothing but these, since others could be documents
-- with scripts.
local embedded = "^data:image/%l+;base64,[%w+/]+=*$"
local kinds = { jpeg = true, png = true, webp = true, gif = true, avif = true }

local function is_embedded(url)
  return type(url) == "string" and url:find(embedded) ~= nil and kinds[url:match("^data:image/(%l+)")] == true
end

local function widest_first(a, b)
  return (a.width or 0) > (b.width or 0)
end

-- The record's own picture, as an address of the scheme data; nil when it carries none.
function pictures.embedded(v)
  for _, picture in yt.pairs(v.thumbnails or {}) do
    if is_embedded(picture.url) then return picture end
  end
end

-- Pictures that a page may fetch, best first: the smallest that is wide enough for a card, then smaller ones, which a
-- service may have where it lacks the others. Only https, for pages that are served so.
function pictures.remote(v)
  local enough, smaller = {}, {}
  for _, picture in yt.pairs(v.thumbnails or {}) do
    local url = yt.url.link(picture.url)
    if url and url:find("^https://") then
      local list = (picture.width or 0) >= 480 and enough or smaller
      list[#list + 1] = { url = url, width = picture.width, height = picture.height }
    end
  end
  table.sort(enough, widest_first)
  table.sort(smaller, widest_first)
  local chain = { enough[#enough] }
  for _, picture in ipairs(smaller) do chain[#chain + 1] = picture end
  return chain
end

-- The scheme and host of an address, as policies name them; nil for what could end a policy or begin another.
function pictures.origin(url)
  local origin, next = url:match("^(https://[%w.-]+:?%d*)(.?)")
  if origin and (next == "" or next:find("[/?#]")) then return origin end
end

return pictures
