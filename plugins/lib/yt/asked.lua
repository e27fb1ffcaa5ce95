-- What people ask of a document in options: addresses, languages and the like. What cannot stand where it belongs is
-- refused before anything is written, rather than left out without a word.

local asked = {}

-- What a message shows of a value: one line of it.
local function quoted(value)
  return "'" .. yt.text.truncate(yt.text.clean(value), 60) .. "'"
end

-- The address in an option, made safe for a link; nil when the option is absent.
function asked.link(name, value)
  if value == nil then return nil end
  local link = yt.url.link(value)
  if not link then
    name = "--" .. name
    yt.usage(name .. ": " .. quoted(value) .. " is no address of http or https", name .. " https://example.org/")
  end
  return link
end

-- The language in an option, by the form that BCP 47 (RFC 5646) gives language tags: a language of two or three letters,
-- or a private one, and parts of up to eight letters and digits behind hyphens. Nil when the option is absent.
function asked.lang(value)
  if value == nil then return nil end
  local first, rest = value:match("^(%a+)(.*)$")
  local good = first ~= nil and (#first == 2 or #first == 3 or #first == 1 and first:find("[xXiI]") and rest ~= "")
  local parts = rest or ""
  while good and parts ~= "" do
    local part, more = parts:match("^%-(%w+)(.*)$")
    good = part ~= nil and #part <= 8
    parts = more or ""
  end
  if not good then
    local hint = value:find("^%a%a%a?_[%w_]+$") and value:gsub("_", "-") or "en, pt-BR or zh-Hant"
    yt.usage("--lang: " .. quoted(value) .. " is no language tag", "--lang takes a tag of BCP 47: " .. hint)
  end
  return value
end

-- The mail address in an option: one that stands in a feed without quotes or comments. Nil when the option is absent.
function asked.mail(value)
  if value == nil then return nil end
  local host = value:match("^[%w!#$%%&'*+/=?^_`{|}~.-]+@([%w.-]+)$")
  local good = host and host:find("%.%w[%w-]*$") and not value:find("..", 1, true) and not host:find("^[.-]")
  if not good then
    yt.usage("--mail: " .. quoted(value) .. " is no mail address", "--mail somebody@example.org")
  end
  return value
end

-- The categories of podcast directories, and those inside them
-- (https://podcasters.apple.com/support/1691-apple-podcasts-categories).
local genres = {
  ["Arts"] = { "Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts" },
  ["Business"] = { "Careers", "Entrepreneurship", "Investing", "Management", "Marketing", "Non-Profit" },
  ["Comedy"] = { "Comedy Interviews", "Improv", "Stand-Up" },
  ["Education"] = { "Courses", "How To", "Language Learning", "Self-Improvement" },
  ["Fiction"] = { "Comedy Fiction", "Drama", "Science Fiction" },
  ["Government"] = {},
  ["Health & Fitness"] = { "Alternative Health", "Fitness", "Medicine", "Mental Health", "Nutrition", "Sexuality" },
  ["History"] = {},
  ["Kids & Family"] = { "Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids" },
  ["Leisure"] = {
    "Animation & Manga", "Automotive", "Aviation", "Crafts", "Games", "Hobbies", "Home & Garden", "Video Games",
  },
  ["Music"] = { "Music Commentary", "Music History", "Music Interviews" },
  ["News"] = {
    "Business News", "Daily News", "Entertainment News", "News Commentary", "Politics", "Sports News", "Tech News",
  },
  ["Religion & Spirituality"] = {
    "Buddhism", "Christianity", "Hinduism", "Islam", "Judaism", "Religion", "Spirituality",
  },
  ["Science"] = {
    "Astronomy", "Chemistry", "Earth Sciences", "Life Sciences", "Mathematics", "Natural Sciences", "Nature", "Physics",
    "Social Sciences",
  },
  ["Society & Culture"] = { "Documentary", "Personal Journals", "Philosophy", "Places & Travel", "Relationships" },
  ["Sports"] = {
    "Baseball", "Basketball", "Cricket", "Fantasy Sports", "Football", "Golf", "Hockey", "Rugby", "Running", "Soccer",
    "Swimming", "Tennis", "Volleyball", "Wilderness", "Wrestling",
  },
  ["Technology"] = {},
  ["True Crime"] = {},
  ["TV & Film"] = { "After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews" },
}

-- The category in an option as directories spell it, and the one inside it where that was asked for; nil when the option
-- is absent.
function asked.genre(value)
  if value == nil then return nil end
  local wanted, names = value:lower(), {}
  for name, inside in pairs(genres) do
    if name:lower() == wanted then return name end
    for _, inner in ipairs(inside) do
      if inner:lower() == wanted then return name, inner end
    end
    names[#names + 1] = name
  end
  table.sort(names)
  yt.usage("--genre: directories have no category " .. quoted(value), "there are " .. table.concat(names, ", "))
end

return asked
