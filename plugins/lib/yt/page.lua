-- What stands at the top of a feed or a page, and so has to be known before anything is written.

local told = require "yt.told"

local page = {}

-- How many records are read ahead: a search gives a few hundred, so this is nearly always all of them, and a document of
-- any length takes the same memory.
local usual = 1000

-- Gives the first videos as a list, an iterator over all of them, and whether the list has all. The iterator takes them
-- out of the list, so look at that first.
function page.ahead(videos, most)
  local head, last, whole = {}, nil, false
  while #head < (most or usual) and not whole do
    last = videos(nil, last)
    whole = last == nil
    head[#head + 1] = last
  end
  local i = 0
  return head, function()
    i = i + 1
    local video = head[i]
    if video then
      head[i] = false
      return video
    end
    if whole then return nil end
    last = videos(nil, last)
    whole = last == nil
    return last
  end, whole
end

-- So many names are remembered, and as many before them while these come.
local remembered = 8000

-- Tells whether a name came before, for documents in which it may stand once. Of very many the first are forgotten,
-- which is told. A name of any length is remembered by sixty bits of its hash, as a number.
function page.once()
  local before, now, count, is_told = nil, {}, 0, false
  return function(name)
    local hash = yt.uuid(name)
    hash = tonumber(hash:sub(1, 8) .. hash:sub(10, 13) .. hash:sub(16, 18), 16)
    if now[hash] or before and before[hash] then return false end
    if count == remembered then
      if before and not is_told then
        is_told = true
        yt.log("warning", "there are more than " .. yt.text.grouped(remembered * 2)
          .. " items; what comes again that much later is not noticed, and stands in the document twice")
      end
      before, now, count = now, {}, 0
    end
    now[hash], count = true, count + 1
    return true
  end
end

local names = { sample = "ythost sample library", youtube = "YouTube", vimeo = "Vimeo", peertube = "PeerTube" }

-- A title made of the searches that found the videos: "programming - ythost sample library". `info` of the results says
-- what was searched; records from a pipe carry it themselves.
function page.title(videos, info)
  local queries, sources, seen = {}, {}, {}
  local function note(origin)
    local query, source = told.line(origin.query), told.line(origin.source)
    if query and not seen["q" .. query] then
      seen["q" .. query] = true
      queries[#queries + 1] = query
    end
    if source and not seen["s" .. source] then
      seen["s" .. source] = true
      sources[#sources + 1] = names[source] or source
    end
  end
  if info and info.query then
    note(info)
  else
    for _, v in ipairs(videos) do
      for _, origin in ipairs(v:get("found_in", {})) do note(origin) end
    end
  end
  if #queries == 0 and #sources == 0 then return "Videos" end
  if #queries == 0 then return table.concat(sources, ", ") end
  if #sources == 0 then return table.concat(queries, ", ") end
  return table.concat(queries, ", ") .. " - " .. table.concat(sources, ", ")
end

-- A width or a height as records tell it; nil for what is none.
function page.pixels(value)
  if math.type(value) == "integer" and value > 0 then return value end
end

-- The widest picture of a video, with an address that may be used: {url, width, height}.
function page.picture(v)
  local pictures, best, address = v.thumbnails, nil, nil
  if not pictures then return nil end
  for _, picture in yt.pairs(pictures) do
    local link = yt.url.link(picture.url)
    if link and (not best or (picture.width or 0) > (best.width or 0)) then best, address = picture, link end
  end
  return best and { url = address, width = page.pixels(best.width), height = page.pixels(best.height) }
end

return page
