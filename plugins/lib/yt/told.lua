-- What a record tells of itself in texts that can be seen. A title of spaces, controls or invisible characters tells as
-- little as none, so all formats ask here, after such texts are cleaned, and fall back to the next best thing.

local told = {}

-- Characters that show nothing, beside spaces and controls: from and to.
local unseen = {
  { 0x7F, 0xA0 }, { 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x1680, 0x1680 },
  { 0x17B4, 0x17B5 }, { 0x180B, 0x180F }, { 0x2000, 0x200F }, { 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x2800, 0x2800 },
  { 0x3000, 0x3000 }, { 0x3164, 0x3164 }, { 0xFDD0, 0xFDEF }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 },
  { 0xFFF0, 0xFFFB }, { 0xFFFE, 0xFFFF }, { 0xE0000, 0xE0FFF },
}

-- Of clean text: whether anybody sees it.
local function shows(text)
  if text:find("[!-~]") then return true end
  for _, code in utf8.codes(text) do
    local hidden = code <= 0x20
    for _, range in ipairs(unseen) do
      if code < range[1] then break end
      hidden = hidden or code <= range[2]
    end
    if not hidden then return true end
  end
  return false
end

-- Noncharacters, which documents shall not have: U+FDD0 to U+FDEF, and the last two of each plane. In UTF-8 text.
local function without_noncharacters(text)
  if not text:find("[\xEF-\xF4]") then return text end
  text = text:gsub("\xEF\xB7[\x90-\xAF]", ""):gsub("\xEF\xBF[\xBE\xBF]", "")
  return (text:gsub("[\xF0-\xF4][\x8F\x9F\xAF\xBF]\xBF[\xBE\xBF]", ""))
end

-- A text as one line, without controls, direction overrides and space around it; nil where nothing would be seen of it.
function told.line(text)
  if text == nil then return nil end
  local line = without_noncharacters(yt.text.clean(text)):match("^%s*(.-)%s*$")
  return shows(line) and line or nil
end

-- A text with its lines, as feeds have it: nothing taken out but controls and noncharacters. Nil where nothing would be
-- seen of it.
function told.text(text)
  if text == nil then return nil end
  if not text:find("[^\t\n\r -~]") then return text:find("[!-~]") and text or nil end
  if not shows(yt.text.clean(text)) then return nil end
  -- U+0085 is a line's end.
  text = text:gsub("[\0-\8\11\12\14-\31\127]", ""):gsub("\xC2\x85", "\n"):gsub("\xC2[\x80-\x9F]", "")
  return without_noncharacters(text)
end

-- A text as HTML, for documents whose readers take a text for HTML, such as the descriptions of RSS. Nil where nothing
-- would be seen of it.
function told.html(text)
  text = told.text(text)
  return text and (yt.html.escape(text):gsub("\r\n?", "\n"):gsub("\n", "<br>"))
end

-- The list of those texts that can be seen; nil where there are none.
function told.texts(list)
  local seen = {}
  for _, text in ipairs(list or seen) do seen[#seen + 1] = told.text(text) end
  return #seen > 0 and seen or nil
end

return told
