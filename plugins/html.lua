-- One HTML file to show to a person: no other file, no request to any host before somebody asks for one, and no script but
-- the one it carries. Texts come from strangers: each goes through `told.line` and `out:html`, each address through
-- `yt.url.link`. There is no "now" in it, so the same videos always give the same bytes; ages are worked out by the page
-- when it is read.

local asked = require "yt.asked"
local columns = require "yt.columns"
local gallery = require "yt.gallery"
local page = require "yt.page"
local pictures = require "yt.pictures"
local sections = require "yt.sections"
local told = require "yt.told"

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

local function attribute(out, name, value)
  if value then out:write(" ", name, '="'):html(value):write('"') end
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

-- The player that a click puts in the picture's place; nil where there is none.
local function player(v)
  local _, facts = yt.embed(v, { facade = true })
  return facts.url
end

-- Whether the page's policy has the host of an address.
local function allows(hosts, url)
  local origin = pictures.origin(url)
  return origin and hosts[origin]
end

-- The picture of a card, over the letter that stands there until it is loaded, or in its stead.
local function image(out, v, look, carried)
  local chain = {}
  if look.thumbnails == "embed" then
    chain = { carried }
  elseif look.thumbnails == "remote" then
    for _, picture in ipairs(pictures.remote(v)) do
      if allows(look.images, picture.url) then chain[#chain + 1] = picture end
    end
  end
  local picture = chain[1]
  if not picture then return end
  out:write('    <img alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"')
  attribute(out, "src", picture.url)
  out:write(' width="', picture.width or 480, '" height="', picture.height or 270, '"')
  -- What the script tries when that one is not there.
  local others = {}
  for i = 2, math.min(#chain, 4) do others[#others + 1] = chain[i].url end
  if #others > 0 then attribute(out, "data-others", table.concat(others, " ")) end
  out:line(">")
end

local function card(out, v, look, carried)
  local title, channel, when = told.line(v.title) or told.line(v.id) or "Untitled", told.line(v.channel.title), time(v)
  -- The script sorts by the data- attributes; an unknown one is left out, and comes last.
  out:write('<li class="card"')
  attribute(out, "data-newest", when)
  attribute(out, "data-longest", v.duration)
  attribute(out, "data-watched", v.views)
  out:line(">")

  out:write('  <div class="picture hue', hue(v, title), '"')
  local frame = look.players and player(v)
  if frame and allows(look.frames, frame) then attribute(out, "data-player", frame) end
  out:line(">")
  out:write('    <span aria-hidden="true">'):html(initial(title)):line("</span>")
  image(out, v, look, carried)
  badge(out, v)
  out:line("  </div>")

  -- The title's language says from which side all below the picture is read. What stands beside it is set apart, so that
  -- neither turns the other round.
  out:line('  <div class="words" dir="auto">')
  out:write("  <", look.heading, ' class="title"')
  attribute(out, "lang", v.language)
  out:write(">")
  linked(out, title, v.url)
  out:line("</", look.heading, ">")
  if channel then
    out:write('  <p class="channel"><bdi>')
    linked(out, channel, v.channel.url)
    out:line("</bdi></p>")
  end
  if when or v.views then
    out:line('  <p class="facts"><span>')
    if when then
      out:write('    <span><bdi><time datetime="', yt.time.format(when), '">'):html(yt.time.format(when, look.dates))
      out:line("</time></bdi></span>")
    end
    if v.views then
      out:line("    <span><bdi>", yt.text.grouped(v.views), v.views == 1 and " view" or " views", "</bdi></span>")
    end
    out:line("  </span></p>")
  end
  out:line("  </div>")
  out:line("</li>")
end

-- Hidden until the script shows it, for without the script it does nothing. Orders that no video has are not offered;
-- the script fills in the channels.
local function controls(out, known)
  out:line('<div id="controls" class="controls" role="search" lang="en" hidden>')
  out:line('<label>Search <input id="words" type="search" spellcheck="false"></label>')
  out:line('<label hidden>Channel <select id="channel"><option value="">all</option></select></label>')
  out:line('<label>Sort <select id="order">')
  out:line('<option value="">as given</option>')
  for _, order in ipairs { { "newest", "newest" }, { "longest", "longest" }, { "watched", "most watched" } } do
    if known[order[1]] then out:line('<option value="', order[1], '">', order[2], "</option>") end
  end
  out:line("</select></label>\n</div>")
end

local function add(set, name)
  if name then set[name] = true end
end

-- What the first videos tell about all: which orders make sense, and which hosts the page may ask.
local function survey(head, opt)
  local known, frames, images, carries = {}, {}, {}, false
  for _, v in ipairs(head) do
    known.newest = known.newest or time(v)
    known.longest = known.longest or v.duration
    known.watched = known.watched or v.views
    local frame = opt.players and player(v)
    add(frames, frame and pictures.origin(frame))
    if opt.thumbnails == "remote" then
      for _, picture in ipairs(pictures.remote(v)) do add(images, pictures.origin(picture.url)) end
    elseif opt.thumbnails == "embed" then
      carries = carries or pictures.embedded(v) ~= nil or pictures.are_named(v)
    end
  end
  if carries then images["data:"] = true end
  return known, frames, images
end

local function head(out, title, about, lang, frames, images)
  out:line("<!DOCTYPE html>")
  out:write('<html lang="'):html(lang):line('">')
  out:line("<head>")
  out:line('<meta charset="utf-8">')
  -- Before anything it should hold back.
  out:write('<meta http-equiv="Content-Security-Policy" content="'):html(gallery.policy(frames, images)):line('">')
  -- Players want to know which site they are on, and no more.
  out:line('<meta name="referrer" content="strict-origin-when-cross-origin">')
  out:line('<meta name="viewport" content="width=device-width, initial-scale=1">')
  out:line('<meta name="color-scheme" content="light dark">')
  out:write("<title>"):html(title):line("</title>")
  if about then out:write('<meta name="description" content="'):html(about):line('">') end
  -- As they are, to the byte: the policy allows this style and this script by their hashes.
  out:line("<style>", gallery.style, "</style>")
  out:line("</head>")
end

local function count(n)
  return n == 0 and "No videos" or n == 1 and "1 video" or yt.text.grouped(n) .. " videos"
end

return {
  summary = "One HTML page to look at and share, that needs nothing else",
  api = 1,
  options = {
    title = { type = "string", help = "what the page is called; made of the search when absent" },
    description = { type = "string", help = "a line below the title" },
    lang = { type = "string", default = "en", help = "the language of its titles and ages, such as en" },
    thumbnails = {
      type = "enum", values = { "embed", "none", "remote" }, default = "embed",
      help = "pictures in the page itself, fetched where records name some; none; or remote: the page asks for them",
    },
    players = { type = "boolean", default = true, help = "play videos in the page, where it is served over http" },
    group = sections.option,
    dates = columns.dates("date"),
  },
  fields = { "duration", "views" },

  format = function(videos, out, opt)
    local lang = asked.lang(opt.lang)
    columns.check_dates(opt.dates)
    local first, all, whole = sections.of(videos, opt.group)
    local known, frames, images = survey(first, opt)
    local total = #first
    local title = told.line(opt.title) or told.line(page.title(first, videos.info)) or "Videos"
    local about = told.text(opt.description)
    head(out, title, about, lang, frames, images)
    out:line("<body>\n<header>")
    out:write('<h1 dir="auto">'):html(title):line("</h1>")
    if about then out:write('<p class="about" dir="auto">'):html(about):line("</p>") end
    if total > 0 then controls(out, known) end
    -- How many there are is not known yet where only the first were read; the script counts then.
    out:line('<p id="count" class="count" role="status" aria-live="polite" lang="en">', whole and count(total) or "", "</p>")
    out:line("</header>\n<main id=\"videos\">")
    if total == 0 then
      out:line('<p class="empty">Nothing was found. Other words may find more.</p>')
      all = function() end
    end
    local look = {
      thumbnails = opt.thumbnails, players = opt.players, dates = opt.dates, frames = frames, images = images,
      heading = opt.group == "none" and "h2" or "h3",
    }
    local carrier = pictures.carrier()
    for heading, inside in all do
      out:line("<section>")
      if heading then out:write('<h2 class="heading" dir="auto">'):html(heading):line("</h2>") end
      -- Said again with role: Safari takes a list without bullets for no list.
      out:line('<ul class="cards" role="list">')
      if images["data:"] then
        for v, picture in carrier.over(inside) do card(out, v, look, picture) end
      else
        for v in inside do card(out, v, look) end
      end
      out:line("</ul>\n</section>")
    end
    carrier.tell()
    out:line("</main>")
    out:line("<script>", gallery.script, "</script>")
    out:line("</body>\n</html>")
  end,
}
