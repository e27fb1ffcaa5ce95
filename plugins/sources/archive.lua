-- Films of the Internet Archive: an example of a new source. It asks for JSON and says which member is which field;
-- --allow net:archive.org lets it ask.

local read = yt.mapper({
  provider = { value = "archive" },
  id = "identifier",
  title = "title",
  description = "description",
  channel = { fields = { title = "creator" } },
  published = { "date", as = "time" },
  views = { "downloads", as = "integer" },
}, { rows = "response.docs" })

return {
  summary = "Search the films of the Internet Archive",
  needs = { "net:archive.org" },
  options = { server = { type = "string", default = "https://archive.org", help = "where to ask" } },

  search = function(words, opt)
    local fields = { "identifier", "title", "description", "creator", "date", "downloads" }
    local query = { q = "mediatype:movies AND (" .. words .. ")", ["fl[]"] = fields, rows = 50, output = "json" }
    local answer = yt.http.get(opt.server .. "/advancedsearch.php", { query = query })
    assert(answer.status == 200, "the Internet Archive answers with status " .. answer.status)
    return assert(read(answer.body)):map(function(v)
      v.url = opt.server .. "/details/" .. yt.url.encode(v.id or "")
      return v
    end)
  end,
}
