-- Looking ahead: what a document says at its top (its title, its newest date) comes from records that are read before
-- anything is written. Only so many are kept, so that a document of any length takes the same memory.

-- How many. A search gives a few hundred, so this is nearly always all of them.
local usual = 1000

-- Gives the first videos as a list, an iterator over all of them, and whether the list has all. The iterator takes them
-- out of the list, so look at that first.
local function ahead(videos, most)
  local head, last, whole = {}, nil, false
  while #head < (most or usual) and not whole do
    last = videos(nil, last)
    whole = last == nil
    head[#head + 1] = last
  end
  local i = 0
  return head, function()
    i = i + 1
    local video = head[i]
    if video then
      head[i] = false
      return video
    end
    if whole then return nil end
    last = videos(nil, last)
    whole = last == nil
    return last
  end, whole
end

return ahead
