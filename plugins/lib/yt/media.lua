-- The files that play, which feeds name with their entries and services with some videos: `video.extra.media`.

local media = {}

-- By the end of the file's name, where its server did not say.
local types = {
  aac = "audio/aac", flac = "audio/flac", m4a = "audio/x-m4a", mp3 = "audio/mpeg", oga = "audio/ogg", ogg = "audio/ogg",
  opus = "audio/ogg", wav = "audio/x-wav",
  m4v = "video/x-m4v", mkv = "video/x-matroska", mov = "video/quicktime", mp4 = "video/mp4", mpg = "video/mpeg",
  ogv = "video/ogg", webm = "video/webm",
}

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
      local kind = type(file.type) == "string" and file.type:lower():match("^%s*([%w.+-]+/[%w.+-]+)")
      kind = kind or types[(url:match("^[^?#]*%.(%w+)") or ""):lower()]
      if kind and (kind:find("^audio/") or kind:find("^video/")) then
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
