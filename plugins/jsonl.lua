-- JSON Lines: one record a line, with everything that is known of it. What a pipe carries.

return {
  summary = "One JSON object a line: what `ythost run PLUGIN -` reads",
  api = 1,

  format = function(videos, out)
    for v in videos do
      out:line(yt.json.encode(v))
    end
  end,
}
