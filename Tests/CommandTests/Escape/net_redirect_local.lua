-- expect: exit=0 says="held" flags="--allow net:example.org --allow net:*.example.org"
-- Nothing leads to this machine, or to what clouds serve to machines, but an address that was granted.
for _, url in ipairs{
  "http://127.0.0.1/", "http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
  "http://localhost/", "http://169.254.169.254/latest/meta-data", "http://0/", "http://example.org@127.0.0.1/",
  "http://example.org#@127.0.0.1/", "http://example.org:80@127.0.0.1/", "http://127.0.0.1/.example.org",
  "http://127.0.0.1\\.example.org/", "http://127.0.0.1%00.example.org/", "http://example.org%2f@127.0.0.1/",
  "file:///etc/passwd", "gopher://127.0.0.1/", "http:127.0.0.1", "//127.0.0.1/", "http://[::1%25lo]/", "HTTP://LOCALHOST",
} do
  local ok, e = pcall(yt.http.get, url, { timeout = 1 })
  assert(not ok, url)
  local text = tostring(e)
  assert(text:find("grant", 1, true) or text:find("not a", 1, true) or text:find("no host", 1, true)
    or text:find("not asked", 1, true), url .. ": " .. text)
end
print("held")
