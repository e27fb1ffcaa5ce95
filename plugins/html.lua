-- One HTML file to show to a person: no other file, no request to any host, and no script but the one it carries. Texts
-- come from strangers: each goes through `tidy` and `out:html`, each address through `yt.url.link`. There is no "now" in
-- it, so the same videos always give the same bytes; ages are worked out by the page when it is read.

local gallery = require "yt.gallery"
local page = require "yt.page"

-- One line without control characters or direction overrides; nil where nothing is left to show.
local function tidy(text)
  local line = text and yt.text.clean(text):match("^%s*(.-)%s*$")
  if line ~= "" then return line end
end

-- One of the style's colours; the same for the same video.
local function hue(v, title)
  local seed, sum = v.id or title, 0
  for i = 1, math.min(#seed, 64) do sum = (sum * 31 + seed:byte(i)) % gallery.hues end
  return sum
end

-- The first letter of a title, in any script, or its first digit: not its quotation mark or bracket.
local function initial(title)
  for _, code in utf8.codes(title) do
    local letter = utf8.char(code)
    local symbol = code >= 0x80 and code < 0xC0 or code >= 0x2000 and code < 0x3040
    if letter:find("%w") or (code >= 0x80 and not symbol) then return letter end
  end
  return "▶"
end

local function badge(out, v)
  if v.live_state == "live" then
    out:line('    <span class="badge live">LIVE</span>')
  elseif v.live_state == "upcoming" then
    out:line('    <span class="badge">UPCOMING</span>')
  elseif v.duration then
    out:line('    <span class="badge"><span class="unseen">Length </span>', yt.duration.format(v.duration), "</span>")
  elseif v.kind and v.kind ~= "video" then
    out:write('    <span class="badge">'):html(v.kind:upper()):line("</span>")
  end
end

-- A text, as a link where there is an address that may be one.
local function linked(out, text, url)
  local link = yt.url.link(url)
  if not link then return out:html(text) end
  out:write('<a href="'):html(link):write('" rel="noopener">'):html(text):write("</a>")
end

-- When it was published, or will begin.
local function time(v)
  if v.live_state == "upcoming" and v.starts then return v.starts end
  return v.published
end

-- The script sorts by the data- attributes; an unknown one is left out, and comes last.
local function data(out, name, number)
  if number then out:write(" data-", name, '="', number, '"') end
end

local function card(out, v)
  local title, channel, when = tidy(v.title) or tidy(v.id) or "Untitled", tidy(v.channel.title), time(v)
  out:write('<li class="card"')
  data(out, "newest", when)
  data(out, "longest", v.duration)
  data(out, "watched", v.views)
  out:line(">")

  out:line('  <div class="picture hue', hue(v, title), '">')
  out:write('    <span aria-hidden="true">'):html(initial(title)):line("</span>")
  badge(out, v)
  out:line("  </div>")

  -- dir="auto" on an element of its own: Hebrew or Arabic reads from the right, and does not turn its neighbours round.
  out:write('  <h2 class="title" dir="auto"')
  if v.language then out:write(' lang="'):html(v.language):write('"') end
  out:write(">")
  linked(out, title, v.url)
  out:line("</h2>")
  if channel then
    out:write('  <p class="channel" dir="auto">')
    linked(out, channel, v.channel.url)
    out:line("</p>")
  end
  if when or v.views then
    out:write('  <p class="facts">')
    if when then
      out:write('<time datetime="', yt.time.format(when), '">', yt.time.format(when, "date"), "</time>")
    end
    if when and v.views then out:write(" · ") end
    if v.views then out:write(yt.text.grouped(v.views), v.views == 1 and " view" or " views") end
    out:line("</p>")
  end
  out:line("</li>")
end

-- Hidden until the script shows it, for without the script it does nothing. Orders that no video has are not offered.
local function controls(out, all)
  local known = {}
  for _, v in ipairs(all) do
    known.newest = known.newest or time(v)
    known.longest = known.longest or v.duration
    known.watched = known.watched or v.views
  end
  out:line('<div id="controls" class="controls" role="search" hidden>')
  out:line('<label>Search <input id="words" type="search" spellcheck="false"></label>')
  out:line('<label>Sort <select id="order">')
  out:line('<option value="">as given</option>')
  for _, order in ipairs { { "newest", "newest" }, { "longest", "longest" }, { "watched", "most watched" } } do
    if known[order[1]] then out:line('<option value="', order[1], '">', order[2], "</option>") end
  end
  out:line("</select></label>\n</div>")
end

local function head(out, title, lang)
  out:line("<!DOCTYPE html>")
  out:write('<html lang="'):html(lang):line('">')
  out:line("<head>")
  out:line('<meta charset="utf-8">')
  -- Before anything it should hold back.
  out:write('<meta http-equiv="Content-Security-Policy" content="'):html(gallery.policy):line('">')
  out:line('<meta name="viewport" content="width=device-width, initial-scale=1">')
  out:line('<meta name="color-scheme" content="light dark">')
  out:write("<title>"):html(title):line("</title>")
  -- As they are, to the byte: the policy allows this style and this script by their hashes.
  out:line("<style>", gallery.style, "</style>")
  out:line("</head>")
end

return {
  summary = "One HTML page to look at and share, that needs nothing else",
  api = 1,
  options = {
    title = { type = "string", help = "what the page is called; made of the search when absent" },
    lang = { type = "string", default = "en", help = "the language of its titles and ages, such as en" },
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    local all = videos:list()
    local title = tidy(opt.title) or tidy(page.title(all)) or "Videos"
    head(out, title, opt.lang)
    out:line("<body>\n<header>")
    out:write('<h1 dir="auto">'):html(title):line("</h1>")
    if #all > 0 then controls(out, all) end
    out:write('<p id="count" class="count" role="status" aria-live="polite">')
    out:line(#all == 0 and "No videos" or #all == 1 and "1 video" or yt.text.grouped(#all) .. " videos", "</p>")
    out:line("</header>\n<main>")
    if #all == 0 then
      out:line('<p class="empty">Nothing was found. Other words may find more.</p>')
    else
      -- Said again with role: Safari takes a list without bullets for no list.
      out:line('<ul id="cards" class="cards" role="list">')
      for _, v in ipairs(all) do card(out, v) end
      out:line("</ul>")
    end
    out:line("</main>")
    out:line("<script>", gallery.script, "</script>")
    out:line("</body>\n</html>")
  end,
}
