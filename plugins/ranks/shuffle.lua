-- A random order, the same one for the same --seed: `ythost run table space -p shuffle --seed 7`.

return {
  summary = "A random order, repeatable with --seed",
  api = 1,

  rank = function(videos)
    for i = #videos, 2, -1 do
      local j = math.random(i)
      videos[i], videos[j] = videos[j], videos[i]
    end
    return videos
  end,
}
