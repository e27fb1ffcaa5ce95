-- Most watched first, or most watched a day since it was published. Unknown comes last.

return {
  summary = "Most watched first",
  api = 1,
  options = {
    per_day = { type = "boolean", default = false, help = "count views a day, so that new videos have a chance" },
  },
  fields = { "views", "published" },

  score = function(video, opt)
    local views = video.views
    if not views or not opt.per_day then return views end
    local published = video.published
    return published and views / math.max((yt.time.now() - published) / 86400, 1)
  end,
}
