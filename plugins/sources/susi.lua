-- A chat client: asks a server of the SUSI kind what to do with a sentence, and does it. "play …" plays a video, which is
-- found here; what the server wants searched is asked of DuckDuckGo; what it lists, says or links to is shown as it is.
--
--   ythost run susi "what is lua" --allow net:api.susi.ai

local read = yt.mapper({ type = "type", query = "query" }, { rows = "answers.0.actions" })

-- What there is to show of a record: an order to a player ("pause") has nothing.
local function is_shown(v)
  return v.extra.action ~= "websearch" and (v.title ~= nil or v.url ~= nil)
end

-- Adds the rows of a table, each as a line of its cells: `columns` gives the headings by the names of cells, or is a list
-- of names.
local function add_rows(found, action, data)
  local rows = type(action.data) == "table" and action.data or data
  if type(action.columns) ~= "table" or type(rows) ~= "table" then return end
  for i, row in ipairs(rows) do
    if i > 1000 or (action.count or -1) >= 0 and i > action.count then break end
    local cells = {}
    for name, heading in yt.pairs(action.columns) do
      local cell = type(row) == "table" and row[type(name) == "number" and heading or name]
      if cell and cell ~= "" and type(cell) ~= "table" then cells[#cells + 1] = tostring(heading) .. ": " .. tostring(cell) end
    end
    if #cells > 0 then found[#found + 1] = yt.video({ kind = "page", title = table.concat(cells, ", ") }) end
  end
end

-- Adds a map as a link to one.
local function add_map(found, action)
  local latitude, longitude = tonumber(action.latitude), tonumber(action.longitude)
  if not latitude or not longitude then return end
  local place = string.format("%.5f/%.5f", latitude, longitude)
  found[#found + 1] = yt.video({
    kind = "page", title = "Map",
    url = string.format("https://www.openstreetmap.org/#map=%d/%s", math.floor(tonumber(action.zoom) or 12), place),
  })
end

return {
  summary = "Ask a chat server of the SUSI kind, and do what it says",
  api = 1,
  needs = { "net:api.susi.ai", "search" },
  options = {
    server = { type = "string", default = "https://api.susi.ai", help = "where to ask" },
    lang = { type = "string", default = "en", help = "the language of the sentence" },
  },

  search = function(sentence, opt)
    local action, video = yt.action(sentence)
    if video then return { video } end
    if action.type == "answer" then
      yt.log("warning", action.expression)
      return {}
    end
    local answer = yt.http.get(opt.server .. "/susi/chat.json", {
      query = { q = sentence, language = opt.lang, timezoneOffset = 0 },
    })
    if answer.status ~= 200 then error("the chat server answers with status " .. answer.status) end
    local actions = assert(read(answer.body, { into = "table" })):list()
    local found = assert(yt.parse(answer.body, { as = "chat" })):filter(is_shown):list()
    local first = answer.json.answers[1]
    for i, wanted in ipairs(actions) do
      if wanted.type == "websearch" then
        for page in yt.websearch(wanted.query or sentence) do found[#found + 1] = page end
      elseif wanted.type == "table" then
        add_rows(found, first.actions[i], first.data)
      elseif wanted.type == "map" then
        add_map(found, first.actions[i])
      end
    end
    return found
  end,
}
