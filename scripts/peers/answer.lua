-- Answers the questions of compare.py: a JSON array a line, the question's kind first. One line of JSON an answer.
local answers = {
  url = function(text)
    local ref, reason = yt.parse_url(text)
    if not ref then return { reason = reason } end
    return { provider = ref.provider, kind = ref.kind, id = ref.id, start = ref.start, list = ref.list }
  end,
  duration = function(text) return { value = (yt.duration.parse(text)) } end,
  date = function(text) return { value = (yt.time.parse(text)) } end,
  width = function(text) return { value = yt.text.width(text) } end,
  entity = function(text) return { value = yt.html.unescape(text) } end,
  zone = function(time, pattern, zone) return { value = yt.time.format(time, pattern, zone) } end,
  join = function(base, reference)
    local address, reason = yt.url.parse(reference, { base = base })
    return { value = address and address.url, reason = reason }
  end,
}

local _, words = yt.options {}
for line in yt.file.lines(words[1]) do
  local question = yt.json.decode(line)
  print(yt.json.encode(answers[question[1]](table.unpack(question, 2))))
end
