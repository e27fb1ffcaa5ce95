-- The ids alone, for other tools. A record without an id (an item of a feed, say) is left out.

return {
  summary = "One id a line",
  api = 1,

  format = function(videos, out)
    for v in videos do
      if v.id then out:line(yt.text.clean(v.id)) end
    end
  end,
}
