-- What a feed or a page calls itself when nobody said: the words that were searched, and where.

local page = {}

local names = { sample = "ythost sample library", youtube = "YouTube", vimeo = "Vimeo", peertube = "PeerTube" }

-- A title made of the searches that found the videos: "programming - ythost sample library". `info` of the results says
-- what was searched; records from a pipe carry it themselves.
function page.title(videos, info)
  local queries, sources, seen = {}, {}, {}
  local function note(origin)
    local query, source = origin.query, origin.source
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

-- The widest picture of a video, with an address that may be used.
function page.picture(v)
  local pictures, best = v.thumbnails, nil
  if not pictures then return nil end
  for _, picture in yt.pairs(pictures) do
    if yt.url.link(picture.url) and (not best or (picture.width or 0) > (best.width or 0)) then best = picture end
  end
  return best
end

return page
