-- expect: exit=0 within=3 says="held" terminal=yes not="\e]|\e[2|\eP|\ec|\u009b|\u202e|\e[6n|\e[?|\e_"
local parts = {"\27", "]", "0;t", "\7", "\27", "[", "2", "J", "\226", "\128", "\174x"}
for _, part in ipairs(parts) do print(part) end
print("held")
