-- Keeps videos by the words in their titles. Case, accents and width do not matter.

local function any(text, words)
  for _, word in ipairs(words) do
    if text:find(yt.text.fold(word), 1, true) then return true end
  end
  return false
end

local function all(text, words)
  for _, word in ipairs(words) do
    if not text:find(yt.text.fold(word), 1, true) then return false end
  end
  return true
end

return {
  summary = "Keep videos whose title has the words",
  api = 1,
  options = {
    any = { type = "list", default = "", help = "at least one of these, separated by commas" },
    all = { type = "list", default = "", help = "each of these" },
    none = { type = "list", default = "", help = "not one of these" },
    channels = { type = "boolean", default = false, help = "look at the channel's name, too" },
  },
  fields = { "title" },

  filter = function(video, opt)
    local text = yt.text.fold(video:get("title", ""))
    if opt.channels then text = text .. "\n" .. yt.text.fold(video.channel.title or "") end
    return (#opt.any == 0 or any(text, opt.any)) and all(text, opt.all) and not any(text, opt.none)
  end,
}
