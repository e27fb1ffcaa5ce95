-- A chat client: asks a server of the SUSI kind what to do with a sentence, and does it. "play …" plays a video, which is
-- found here; what the server wants searched is asked of DuckDuckGo; what it lists, says or links to is shown as it is.
--
--   ythost run susi "what is lua" --allow net:api.susi.ai

local read = yt.mapper({ type = "type", query = "query" }, { rows = "answers.0.actions" })

-- What there is to show of a record: an order to a player ("pause") has nothing.
local function is_shown(v)
  return v.extra.action ~= "websearch" and (v.title ~= nil or v.url ~= nil)
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
    for _, wanted in ipairs(actions) do
      if wanted.type == "websearch" then
        for page in yt.websearch(wanted.query or sentence) do found[#found + 1] = page end
      end
    end
    return found
  end,
}
