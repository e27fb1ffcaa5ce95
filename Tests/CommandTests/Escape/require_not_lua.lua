-- expect: exit=2|1 within=2 not="MARK"
-- A syntax error would show a line of the file.
require("linkedtext")
