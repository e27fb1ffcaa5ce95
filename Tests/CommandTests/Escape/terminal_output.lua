-- expect: exit=0 within=3 says="held" terminal=yes not="\e]|\e[2|\eP|\ec|\u009b|\u202e|\e[6n|\e[?|\e_"
for _, text in ipairs({"\27]0;title\7", "\27[2J", "\27[31mred\27[0m", "\27P+q\27\\", "\27c", "\155" .. "31m", "\u{9b}2J", "\u{202e}back", "a\rb", "\8\8", "\27[6n", "\27[?1049h", "\27]52;c;AAAA\7", "\27_x\27\\", "\14"}) do print(text) end
print("held")
