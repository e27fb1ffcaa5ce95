-- The files that play, which feeds name with their entries and services with some videos: `video.extra.media`.

local media = {}

-- By the end of the file's name, where its server did not say, or said nothing with it.
local types = {
  aac = "audio/aac", flac = "audio/flac", m4a = "audio/x-m4a", m4b = "audio/x-m4b", mp3 = "audio/mpeg", oga = "audio/ogg",
  ogg = "audio/ogg", opus = "audio/ogg", wav = "audio/x-wav", weba = "audio/webm",
  m4v = "video/x-m4v", mkv = "video/x-matroska", mov = "video/quicktime", mp4 = "video/mp4", mpeg = "video/mpeg",
  mpg = "video/mpeg", ogv = "video/ogg", webm = "video/webm",
  m3u8 = "application/vnd.apple.mpegurl", mpd = "application/dash+xml",
}

-- Types that name the parts of a stream: HLS and DASH.
local streams = {
  ["application/vnd.apple.mpegurl"] = true, ["application/x-mpegurl"] = true, ["application/mpegurl"] = true,
  ["application/dash+xml"] = true,
}

-- Types that do not say what a file is.
local vague = {
  ["application/octet-stream"] = true, ["binary/octet-stream"] = true, ["application/octetstream"] = true,
  ["application/binary"] = true, ["application/force-download"] = true, ["application/x-force-download"] = true,
  ["application/download"] = true, ["application/x-download"] = true, ["application/unknown"] = true,
  ["application/x-unknown"] = true, ["unknown/unknown"] = true, ["application/file"] = true, ["application/mp4"] = true,
  ["application/ogg"] = true,
}

-- The usual type of a file of which only its medium is known.
local usual = { audio = "audio/mpeg", video = "video/mp4" }

-- The type of a file that plays; nil for others.
local function playable(file, url)
  local kind = type(file.type) == "string" and file.type:lower():match("^%s*([%w.+-]+/[%w.+-]+)") or nil
  if kind and vague[kind] then kind = nil end
  if not kind or streams[kind] then
    local path = url:match("^%a+://[^/?#]*([^?#]*)") or ""
    kind = types[(path:match("%.(%w+)/*$") or ""):lower()] or kind
  end
  kind = kind or usual[file.medium]
  if kind and (kind:find("^audio/") or kind:find("^video/") or streams[kind]) then return kind end
end

local function count(value)
  if math.type(value) == "integer" and value > 0 then return value end
end

-- The files of a record: a list of {url, type, length, duration}, the last two where they are known (bytes, seconds). What
-- is no sound or moving picture is left out. Records may come from anywhere, so nothing in `extra` is taken on trust.
function media.files(v)
  local files = {}
  local known = v.extra.media
  if type(known) ~= "table" then return files end
  for _, file in ipairs(known) do
    local url = type(file) == "table" and type(file.url) == "string" and yt.url.link(file.url)
    if url then
      local kind = playable(file, url)
      if kind then
        files[#files + 1] = { url = url, type = kind, length = count(file.length), duration = count(file.duration) }
      end
    end
  end
  return files
end

-- Tells the person who runs it how many records could not be written.
function media.tell(without, what)
  if without > 0 then yt.log("warning", (without == 1 and "1 record has " or without .. " records have ") .. what) end
end

return media
