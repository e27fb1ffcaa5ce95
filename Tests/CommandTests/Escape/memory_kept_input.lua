-- expect: exit=6 within=4 says="memory" flags="--input records.jsonl --budget cpu=5s" within=9
-- The input is 120 MB of JSON Lines.
local kept = {}
return {api = 1, filter = function(v) kept[#kept + 1] = v return false end}
