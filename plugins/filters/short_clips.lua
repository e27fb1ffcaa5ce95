-- Keeps short clips, and leaves out what is on the air: it has no length yet.

return {
  summary = "Keep videos of at most --max",
  api = 1,
  options = {
    max = { type = "duration", default = "4m", help = "the longest to keep" },
  },
  fields = { "duration", "live" },

  filter = function(video, opt)
    local seconds = video.duration
    return seconds ~= nil and seconds <= opt.max and video:get("live") ~= true
  end,
}
