-- Pictures for pages: those that a record carries in itself, those that are fetched to be carried in a page, and those that
-- a page may fetch.

local page = require "yt.page"

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

-- Whether the record names a picture that could be fetched.
function pictures.are_named(v)
  for _, picture in pairs(v.thumbnails or {}) do
    if yt.url.link(picture.url) then return true end
  end
  return false
end

-- Pictures that a page may fetch, best first: the smallest that is wide enough for a card, then smaller ones, which a
-- service may have where it lacks the others. Only https, for pages that are served so.
function pictures.remote(v)
  local enough, smaller = {}, {}
  for _, picture in yt.pairs(v.thumbnails or {}) do
    local url = yt.url.link(picture.url)
    if url and url:find("^https://") then
      local list = (picture.width or 0) >= 480 and enough or smaller
      list[#list + 1] = { url = url, width = page.pixels(picture.width), height = page.pixels(picture.height) }
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

-- What a page carries at most: pictures, characters of one, and of all together.
local most, longest, longest_sum = 300, 1 << 20, 24 << 20
-- So many are fetched at the same time.
local together = 12
-- Wide enough for a card, and of few bytes; seconds for each size that is tried.
local wish = { width = 320, timeout = 10 }
-- A host that lacks so many in a row is asked for no more.
local patience = 6

local function plural(n, one, many)
  return n == 1 and one or yt.text.grouped(n) .. " " .. many
end

-- Fetches pictures, as addresses of the scheme `data` to be carried in a page, or drawn as `lines` says, which is what
-- `:ansi` takes. What cannot be had leaves its place to whatever stands there, and is told once.
function pictures.carrier(lines)
  local carrier = { count = 0, sum = 0, missing = 0, hosts = {} }

  local function host(url)
    local name = url:match("^%a+://([^/?#]+)") or ""
    carrier.hosts[name] = carrier.hosts[name] or { name = name, missing = 0 }
    return carrier.hosts[name]
  end

  -- What is to be fetched of a video; nil where nothing is. Only of what the record names: a page is made without asking
  -- anybody where nobody is named.
  local function wanted(v)
    if not pictures.are_named(v) then return nil end
    local picture = yt.thumbnail(v, wish)
    if not picture or host(picture.url).is_left then return nil end
    if carrier.count >= most or carrier.sum >= longest_sum then
      carrier.is_full = true
      return nil
    end
    carrier.count = carrier.count + 1
    return picture
  end

  local function take(picture, got)
    local at = host(picture.url)
    if got.ok and got.value then
      at.missing = 0
      if #got.value <= longest and carrier.sum + #got.value <= longest_sum then
        carrier.sum = carrier.sum + #got.value
        return { url = got.value, width = picture.width, height = picture.height }
      end
      got.why = "it is too large"
    end
    local denied = type(got.error) == "table" or type(got.error) == "userdata"
    if denied and got.error.kind == "grant" then
      if not at.is_left then
        yt.log("warning", "pictures of " .. at.name .. " are left out; --allow net:" .. at.name .. " lets them in")
      end
      at.is_left = true
      return nil
    end
    carrier.missing = carrier.missing + 1
    carrier.why = carrier.why or got.why or tostring(got.error)
    at.missing = at.missing + 1
    at.is_left = at.is_left or at.missing >= patience
    return nil
  end

  -- Gives each video with its picture, or nil, in the videos' order.
  function carrier.over(videos)
    local batch, place, ended = {}, 0, false
    return function()
      place = place + 1
      if place > #batch and not ended then
        batch, place = {}, 1
        local asked = {}
        for v in videos do
          local one = { video = v, picture = not lines and pictures.embedded(v) or nil }
          batch[#batch + 1] = one
          local picture = not one.picture and wanted(v)
          if picture then asked[#asked + 1] = { one = one, picture = picture } end
          if #asked == together or #batch == 100 then break end
        end
        ended = #batch == 0
        local got = yt.map(asked, function(ask)
          local got, why
          if lines then got, why = ask.picture:ansi(lines) else got, why = ask.picture:data_uri() end
          ask.why = why
          return got
        end)
        for i, ask in ipairs(asked) do
          got[i].why = ask.why
          ask.one.picture = take(ask.picture, got[i])
        end
      end
      local one = batch[place]
      if one then return one.video, one.picture end
    end
  end

  -- Says what is missing, at the end.
  function carrier.tell()
    if carrier.missing > 0 then
      yt.log("warning", plural(carrier.missing, "a picture", "pictures") .. " could not be had"
        .. (lines and ": " or "; the page shows letters instead: ") .. carrier.why)
    end
    if carrier.is_full then
      yt.log("warning", "there are " .. plural(carrier.count, "a picture", "pictures") .. ", and no more than that")
    end
  end

  return carrier
end

return pictures
