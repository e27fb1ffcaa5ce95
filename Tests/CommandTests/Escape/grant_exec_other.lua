-- expect: exit=0 within=3 says="held" flags="--allow exec:echo"
assert(yt.exec({"echo", "hi"}).output == "hi\n")
for _, words in ipairs({{"sh", "-c", "id"}, {"./echo"}, {"../bin/echo"}, {"granted/tool"}, {"echo;id"}, {"echo id"}, {"$(id)"}, {""}, {}, {"/bin/sh"}, {"env"}, {"/usr/bin/env", "echo"}, {"-c"}, {"."}, {"/"}}) do assert(not pcall(yt.exec, words), words[1]) end
assert(yt.exec({"echo", "$HOME", ";", "id", "`id`", "$(id)", "> granted/x", "*"}).output == "$HOME ; id `id` $(id) > granted/x *\n")
assert(not pcall(yt.exec, {"echo", setmetatable({}, {__tostring = function() return "x" end})}))
print("held")
