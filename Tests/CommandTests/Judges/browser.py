"""Opens a page in headless Chromium, does what it is told, and prints what came of it as JSON.

    browser.py CHROMIUM PROFILE PAGE file|http [WIDTH HEIGHT] < steps.json
    browser.py CHROMIUM PROFILE COMMAND serve [WIDTH HEIGHT] < steps.json

`http` serves the page's folder on the loopback interface meanwhile; `serve` runs a command, a list of words in JSON, whose
first line is the page's address. No name is resolved, so nothing leaves the machine. PLAYER in the environment names a
file that stands for the players' pages.
Steps are a list of objects, done in order; each adds to `results`:

    {"evaluate": "an expression"}   its value
    {"type": "some text"}           typed into what has the focus
    {"key": "Tab"}                  pressed; Shift+Tab too
    {"click": ".selector"}          clicked with the mouse, in the middle of the first that matches
    {"scheme": "dark"}              the colour scheme that is preferred; {"motion": "reduce"} likewise
    {"size": [320, 640]}            the window's
    {"wait": "an expression"}       until it is true, five seconds at most
    {"reload": true}                loads the page again
    {"axe": "path of axe.min.js"}   what axe-core finds wrong: id, impact and the first element
    {"screenshot": "file.png"}      a picture of the window
    {"print": "file.pdf"}           the page as it would be printed

The reply has `results`, `console` (everything that was said or went wrong, policy violations too) and `requests`, the
addresses that were asked for, beside the page itself, and `code`, how a command ended that was still there five seconds
after the steps (null when it was).
"""
import base64, functools, http.server, json, os, pathlib, subprocess, sys, threading, time

chromium, profile, page, how = sys.argv[1:5]
width, height = (int(sys.argv[5]), int(sys.argv[6])) if len(sys.argv) > 6 else (1280, 900)
if how != "serve":
    page = pathlib.Path(page).resolve()
command = None
deadline = time.monotonic() + 50

if how == "http":
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            if self.path != "/" + page.name:
                return self.send_error(404)
            super().do_GET()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=page.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{page.name}"
elif how == "serve":
    command = subprocess.Popen(json.loads(page), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    address = command.stdout.readline().strip()
else:
    address = page.as_uri()
player = os.environ.get("PLAYER")
stand_in = base64.b64encode(open(player, "rb").read()).decode() if player else None

# The protocol over descriptors 3 and 4, each message ended by a NUL.
to_read, to_write = os.pipe()
from_read, from_write = os.pipe()


def descriptors():
    os.dup2(to_read, 13)
    os.dup2(from_write, 14)
    os.dup2(13, 3)
    os.dup2(14, 4)


browser = subprocess.Popen(
    [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
     "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
     "--disable-default-apps", "--disable-domain-reliability", "--no-pings", "--hide-scrollbars",
     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}",
     f"--window-size={width},{height}", "--remote-debugging-pipe", "about:blank"],
    preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL, start_new_session=True)
os.close(to_read)
os.close(from_write)
threading.Timer(50, lambda: os.killpg(browser.pid, 9)).start()

console, requests, replies, events = [], [], {}, []
pending = b""
serial = 0


def pump():
    """Reads one message."""
    global pending, serial
    while b"\0" not in pending:
        block = os.read(from_read, 1 << 16)
        if not block:
            raise SystemExit("the browser went away")
        pending += block
    message, pending = pending.split(b"\0", 1)
    message = json.loads(message)
    if "id" in message:
        replies[message["id"]] = message
        return
    name, facts = message["method"], message.get("params", {})
    events.append(name)
    if name == "Network.requestWillBeSent":
        url = facts["request"]["url"]
        if url != address and not url.startswith(("data:", "about:", "chrome")):
            requests.append({"url": url, "referrer": facts["request"]["headers"].get("Referer", "")})
    elif name == "Fetch.requestPaused":
        # The reply is not waited for: this may be in the midst of another.
        serial += 1
        os.write(to_write, json.dumps({
            "id": serial, "sessionId": message["sessionId"], "method": "Fetch.fulfillRequest", "params": {
                "requestId": facts["requestId"], "responseCode": 200, "body": stand_in,
                "responseHeaders": [{"name": "Content-Type", "value": "text/html"}]}}).encode() + b"\0")
    elif name == "Runtime.consoleAPICalled":
        console.append(" ".join(str(a.get("value", a.get("description"))) for a in facts["args"]))
    elif name == "Runtime.exceptionThrown":
        details = facts["exceptionDetails"]
        console.append(details.get("exception", {}).get("description", details["text"]))
    elif name == "Log.entryAdded":
        console.append(facts["entry"]["text"])


def ask(method, session=None, **facts):
    global serial
    serial += 1
    mine = serial
    message = {"id": mine, "method": method, "params": facts}
    if session:
        message["sessionId"] = session
    os.write(to_write, json.dumps(message).encode() + b"\0")
    while mine not in replies:
        pump()
    reply = replies.pop(mine)
    if "error" in reply:
        raise SystemExit(f"{method}: {reply['error']['message']}")
    return reply.get("result", {})


target = next(t for t in ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
session = ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
tell = functools.partial(ask, session=session)
for domain in ("Page", "Runtime", "Log", "Network"):
    tell(domain + ".enable")
if player:
    hosts = ("www.youtube-nocookie.com", "player.vimeo.com")
    tell("Fetch.enable", patterns=[{"urlPattern": f"https://{host}/*"} for host in hosts])
tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def load():
    events.clear()
    tell("Page.navigate", url=address)
    while "Page.loadEventFired" not in events:
        pump()


def evaluate(expression):
    reply = tell("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        raise SystemExit("evaluate: " + details.get("exception", {}).get("description", details["text"]))
    return reply["result"].get("value")


def frame():
    """Waits until what was changed is drawn."""
    evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")


keys = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowDown": 40, "k": 75, "m": 77, "n": 78, "p": 80, "q": 81}
media = {}


def step(one):
    if "evaluate" in one:
        return evaluate(one["evaluate"])
    if "type" in one:
        tell("Input.insertText", text=one["type"])
    elif "key" in one:
        name = one["key"].removeprefix("Shift+")
        facts = dict(key=name, code=name, windowsVirtualKeyCode=keys[name], modifiers=8 if one["key"] != name else 0)
        text = {"Enter": "\r", " ": " "}.get(name)
        tell("Input.dispatchKeyEvent", type="keyDown", **facts, **({"text": text} if text else {}))
        tell("Input.dispatchKeyEvent", type="keyUp", **facts)
    elif "click" in one:
        x, y = evaluate(
            "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
            % json.dumps(one["click"]))
        for kind in ("mousePressed", "mouseReleased"):
            tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    elif "scheme" in one or "motion" in one:
        if "scheme" in one:
            media["prefers-color-scheme"] = one["scheme"]
        else:
            media["prefers-reduced-motion"] = one["motion"]
        tell("Emulation.setEmulatedMedia", features=[dict(name=n, value=v) for n, v in media.items()])
    elif "size" in one:
        tell("Emulation.setDeviceMetricsOverride", width=one["size"][0], height=one["size"][1], deviceScaleFactor=1,
             mobile=False)
    elif "wait" in one:
        end = time.monotonic() + 5
        while not evaluate(one["wait"]) and time.monotonic() < end:
            time.sleep(.05)
    elif "reload" in one:
        load()
    elif "axe" in one:
        evaluate(open(one["axe"], encoding="utf-8").read() + "\n0")
        return evaluate(
            "axe.run().then(r => r.violations.map(v => v.id + ' (' + v.impact + '): ' + v.nodes[0].html.slice(0, 200)))")
    elif "screenshot" in one:
        frame()
        open(one["screenshot"], "wb").write(base64.b64decode(tell("Page.captureScreenshot", format="png")["data"]))
        return None
    elif "print" in one:
        open(one["print"], "wb").write(base64.b64decode(tell("Page.printToPDF", printBackground=True)["data"]))
        return None
    frame()


try:
    load()
    frame()
    results = [step(one) for one in json.load(sys.stdin)]
    code = None
    if command:
        try:
            code = command.wait(5)
        except subprocess.TimeoutExpired:
            command.kill()
    print(json.dumps({"results": results, "console": console, "requests": requests, "code": code}))
    sys.stdout.flush()
finally:
    if command and command.poll() is None:
        command.kill()
    try:
        os.killpg(browser.pid, 9)
    except ProcessLookupError:
        pass
    browser.wait()
os._exit(0)
