-- expect: exit=0 within=3 says="held" flags="-o /dev/tty" terminal=yes not="\e]|\e[2|\eP|\ec|\u009b|\u202e|\e[6n|\e[?|\e_"
-- The output is a file by name, and a terminal.
print("\27]0;title\7\27[2J\27c\u{9b}2J\u{202e}held")
