-- A chat client: asks a server of the SUSI kind what to do with a sentence, and does it. "play …" plays a video, which is
-- found here; what the server wants searched is asked of DuckDuckGo; what it lists, says or links to is shown as it is.
--
--   ythost run susi "what is lua" --allow net:api.susi.ai

-- Numbers of the protocol may be written as text. What an action is about has a name of its own.
local actions_of = yt.mapper({
  type = { "type", as = "text" }, query = "query", columns = "columns", data = "data",
  count = { "count", as = "integer" }, zoom = { "zoom", as = "integer" },
  latitude = { "latitude", as = "number" }, longitude = { "longitude", as = "number" },
}, { rows = "answers.0.actions" })
local reply_of = yt.mapper({ data = "answers.0.data" })

-- What there is to show of a record: an order to a player ("pause") has nothing.
local function is_shown(v)
  return v.extra.action ~= "websearch" and (v.title ~= nil or v.url ~= nil)
end

-- A cell as text; nil for one that has nothing to show.
local function cell_text(cell)
  if cell == nil or cell == "" or type(cell) == "table" then return nil end
  return tostring(cell)
end

-- What is done for each type of action that asks for something: adds to what was found, or is an error that says why not.
local act = {}

function act.websearch(found, action, _, sentence)
  local query = action.query or sentence
  if type(query) ~= "string" then error("its query is no text", 0) end
  for page in yt.websearch(query) do found[#found + 1] = page end
end

-- Adds the rows of a table, each as a line of its cells: `columns` gives the headings by the names of cells, or is a list
-- of names. A row that is none leaves a hole, which ipairs would stop at.
function act.table(found, action, data)
  local rows = type(action.data) == "table" and action.data or data
  if type(action.columns) ~= "table" then error("it has no columns", 0) end
  if type(rows) ~= "table" then error("there are no rows", 0) end
  local most = (action.count or -1) < 0 and 1000 or math.min(action.count, 1000)
  for i, row in yt.pairs(rows) do
    if type(i) ~= "number" or i > most then break end
    local cells = {}
    for name, heading in yt.pairs(action.columns) do
      local text = type(row) == "table" and cell_text(row[type(name) == "number" and heading or name])
      if text and cell_text(heading) then cells[#cells + 1] = tostring(heading) .. ": " .. text end
    end
    if #cells > 0 then found[#found + 1] = yt.video({ kind = "page", title = table.concat(cells, ", ") }) end
  end
end

-- Adds a map as a link to one.
function act.map(found, action)
  local latitude, longitude = action.latitude, action.longitude
  if not latitude or math.abs(latitude) > 90 then error("its latitude is none from -90 to 90", 0) end
  if not longitude or math.abs(longitude) > 180 then error("its longitude is none from -180 to 180", 0) end
  local zoom = math.max(0, math.min(action.zoom or 12, 19))
  found[#found + 1] = yt.video({
    kind = "page", title = "Map",
    url = string.format("https://www.openstreetmap.org/#map=%d/%.5f/%.5f", zoom, latitude, longitude),
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
    local reply = assert(reply_of(answer.body, { into = "table" })):list()[1]
    if not reply then error("the chat server's answer is no chat reply") end
    local found = assert(yt.parse(answer.body, { as = "chat" })):filter(is_shown):list()
    local failure
    for wanted in assert(actions_of(answer.body, { into = "table" })) do
      local act_on = act[wanted.type]
      if act_on then
        local ok, why = pcall(act_on, found, wanted, reply.data, sentence)
        if not ok then
          failure = failure or why
          yt.log("warning", "left out a " .. wanted.type .. " of the reply: " .. tostring(why))
        end
      end
    end
    if failure and #found == 0 then error(failure, 0) end
    return found
  end,
}
