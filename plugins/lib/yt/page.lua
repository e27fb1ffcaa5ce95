-- What a feed or a page calls itself when nobody said: the words that were searched, and where.

local page = {}

local names = { sample = "ythost sample library", youtube = "YouTube", vimeo = "Vimeo", peertube = "PeerTube" }

-- A title made of the searches that found the videos: "programming - ythost sample library". Where there is no video,
-- `info` of the results says what was searched.
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
  for _, v in ipairs(videos) do
    for _, origin in ipairs(v:get("found_in", {})) do note(origin) end
  end
  if #videos == 0 and info then note(info) end
  if #queries == 0 and #sources == 0 then return "Videos" end
  if #queries == 0 then return table.concat(sources, ", ") end
  if #sources == 0 then return table.concat(queries, ", ") end
  return table.concat(queries, ", ") .. " - " .. table.concat(sources, ", ")
end

-- An address that may be put into a link: http or https, nothing else. What no address may hold (RFC 3986) is
-- percent-encoded, for a direction override or a quotation mark in one would show or end as something else.
function page.link(url)
  if url and url:find("^[Hh][Tt][Tt][Pp][Ss]?://[^%s/]") and not url:find("%s") then
    return (url:gsub("[^%w%-._~:/?#%[%]@!$&'()*+,;=%%]", function(byte) return ("%%%02X"):format(byte:byte()) end))
  end
end

-- The widest picture of a video, with an address that may be used.
function page.picture(v)
  local best
  for _, picture in yt.pairs(v:get("thumbnails", {})) do
    if page.link(picture.url) and (not best or (picture.width or 0) > (best.width or 0)) then best = picture end
  end
  return best
end

return page
