-- expect: exit=0 within=4 says="held" flags="--allow read:/ --allow write:/"
-- Even who may read everything does not read the host, its keys and its grants.
for _, path in ipairs({"/proc/self/environ", "/proc/self/mem", "/proc/self/cmdline", "/proc/thread-self/environ", "/proc/1/environ", "/proc/self/task/../environ", "/proc/self/root/proc/self/environ", "/dev/mem", "/dev/zero", "/dev/fd/0", "/dev/stdin", "/sys/kernel/notes", "config/ythost/keys.json", "config/ythost/\u{301}key", "data/ythost/grants.json"}) do
  assert(not pcall(yt.file.read, path), path)
end
for _, path in ipairs({"/proc/self/mem", "/proc/self/comm", "/proc/self/oom_score_adj", "config/ythost/new", "config/ythost/\u{301}new", "data/ythost/plugins/new.lua", "data/ythost/grants.json"}) do
  assert(not pcall(yt.file.write, path, "x"), path)
end
print("held")
