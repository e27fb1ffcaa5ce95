-- The addresses alone: what players and downloaders take.

return {
  summary = "One address a line",
  api = 1,

  format = function(videos, out)
    for v in videos do
      if v.url then out:line(yt.text.clean(v.url)) end
    end
  end,
}
