-- Newest first. Videos whose date is unknown come last.

return {
  summary = "Newest first",
  api = 1,
  fields = { "published" },

  score = function(video)
    return video.published
  end,
}
