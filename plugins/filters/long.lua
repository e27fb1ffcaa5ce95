-- Keeps long videos. A video whose length is unknown is dropped, and ythost says so.

return {
  summary = "Keep videos of at least --min",
  api = 1,
  options = {
    min = { type = "duration", default = "10m", help = "the shortest to keep" },
    max = { type = "duration", help = "the longest to keep" },
  },
  fields = { "duration" },

  filter = function(video, opt)
    local seconds = video.duration
    return seconds ~= nil and seconds >= opt.min and (opt.max == nil or seconds <= opt.max)
  end,
}
