"use strict";
const find = (id) => document.getElementById(id);
const items = Array.from(document.querySelectorAll("#queue li"));
const queue = find("queue"), stage = find("stage"), place = find("frame"), notice = find("notice");
const served = document.body.dataset.served !== undefined;

// What players say went wrong. YouTube's numbers are those of its iframe API; 152 is in no document.
const failures = {
  2: "The player does not take this video's id.",
  5: "The browser's video player failed.",
  100: "The video was removed, or is private.",
  101: "Its owner lets it play on YouTube only.",
  105: "The video was removed, or is private.",
  150: "Its owner lets it play on YouTube only.",
  152: "The player refuses to play on this page.",
  153: "The player was not told which site this page is on; something takes that out of its requests.",
};
const states = { "-1": "Not begun", 0: "Ended", 1: "Playing", 2: "Paused", 3: "Loading", 5: "Ready" };

let at = -1, frame = null, origin = "", service = "", state = -1, answered = false, muted = false, timers = [];
const say = (words) => { find("state").textContent = words; };
const later = (seconds, action) => timers.push(setTimeout(action, 1000 * seconds));
const send = (message) => frame?.contentWindow?.postMessage(JSON.stringify(message), origin);
const youtube = (func, ...args) => send({ event: "command", func, args, id: 1, channel: "widget" });

const tell = (words) => {
  const link = items[at].querySelector("a");
  find("words").textContent = words;
  find("instead").href = link.href;
  find("instead").textContent = "Watch it on " + new URL(link.href).hostname.replace(/^www\./, "");
  notice.hidden = false;
  say("It does not play here");
};
const command = {
  play: () => service === "youtube" ? youtube("playVideo") : send({ method: "play" }),
  pause: () => service === "youtube" ? youtube("pauseVideo") : send({ method: "pause" }),
  mute: (quiet) => {
    muted = quiet;
    if (service === "youtube") youtube(quiet ? "mute" : "unMute");
    else send({ method: "setMuted", value: quiet });
  },
};
// Browsers let no page begin with sound before a click.
const quietly = () => {
  if (state === 1 || state === 3 || !answered) return;
  command.mute(true);
  command.play();
};
const became = (next) => {
  if (!(next in states)) return;
  state = next;
  if (notice.hidden) say(states[next] + (muted && next === 1 ? ", without sound: press M" : ""));
  if (next === 0 && at + 1 < items.length) show(at + 1);
};
const ready = () => {
  if (answered) return;
  answered = true;
  say("Ready");
  if (service === "youtube") {
    for (const name of ["onStateChange", "onError", "onAutoplayBlocked"]) youtube("addEventListener", name);
  } else {
    for (const value of ["play", "pause", "ended", "bufferstart", "error"]) send({ method: "addEventListener", value });
  }
  command.play();
  later(2, quietly);
};
const heard = {
  youtube: ({ event, info }) => {
    if (event === "onReady" || event === "initialDelivery") ready();
    if (event === "onStateChange") became(Number(info));
    else if (typeof info?.playerState === "number" && info.playerState !== state) became(info.playerState);
    if (event === "onAutoplayBlocked") quietly();
    if (event === "onError") {
      // Once it answered at all, silence is no reason to doubt it any more.
      answered = true;
      tell(failures[info] || "The player failed, and says " + Number(info) + ".");
    }
  },
  vimeo: ({ event, method, data }) => {
    if (event === "ready" || method === "ping") ready();
    else if (event === "error" && data?.name === "NotAllowedError") quietly();
    else if (event === "error" && data?.method !== "setMuted") {
      tell(data?.name === "PrivacyError" ? "Its owner lets it play on other pages only." :
        data?.name === "PasswordError" ? "It wants a password." : "The player failed.");
    } else became({ play: 1, playing: 1, pause: 2, ended: 0, bufferstart: 3 }[event]);
  },
};
addEventListener("message", (event) => {
  if (!frame || event.source !== frame.contentWindow || event.origin !== origin) return;
  let message = event.data;
  if (typeof message === "string") { try { message = JSON.parse(message); } catch { return; } }
  if (message && typeof message === "object") heard[service]?.(message);
});

const stop = () => {
  timers.forEach(clearTimeout);
  timers = [];
  frame?.remove();
  frame = null;
  notice.hidden = true;
  answered = muted = false;
  state = -1;
};
const open = (opened) => {
  queue.hidden = !opened;
  find("list").setAttribute("aria-expanded", opened);
  if (opened) items[at]?.scrollIntoView({ block: "nearest" });
};
function show(index) {
  if (index < 0 || index >= items.length) return;
  stop();
  at = index;
  const item = items[at], link = item.querySelector("a"), { player, reason } = item.dataset;
  document.body.className = "playing";
  for (const id of ["stage", "top", "bottom"]) find(id).hidden = false;
  find("why").hidden = true;
  for (const other of items) other.removeAttribute("aria-current");
  item.setAttribute("aria-current", "true");
  find("now").textContent = (items.length > 1 ? at + 1 + "/" + items.length + " " : "") + link.textContent;
  document.title = link.textContent;
  find("watch").href = link.href;
  find("previous").disabled = at === 0;
  find("next").disabled = at + 1 === items.length;
  find("list").hidden = items.length < 2;
  find("list").textContent = "Queue (" + items.length + ")";
  open(!queue.hidden && items.length > 1);
  place.className = item.className;
  if (!player) return tell(reason || "There is no player for it.");

  const address = new URL(player);
  origin = address.origin;
  service = /(^|\.)youtube(-nocookie)?\.com$/.test(address.hostname) ? "youtube" :
    address.hostname === "player.vimeo.com" ? "vimeo" : "";
  if (service === "youtube") {
    address.searchParams.set("enablejsapi", "1");
    address.searchParams.set("origin", location.origin);
  }
  find("toggle").disabled = !service;
  frame = document.createElement("iframe");
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  frame.allow = "accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture";
  frame.allowFullscreen = true;
  frame.title = link.textContent;
  frame.src = address.href;
  say(service ? "Loading" : "");
  // Players answer once they are spoken to, and they cannot hear before they are there.
  const knock = () => {
    if (answered || !service) return;
    send(service === "youtube" ? { event: "listening", id: 1, channel: "widget" } : { method: "ping" });
    later(.25, knock);
  };
  frame.addEventListener("load", knock);
  if (service) later(10, () => { if (!answered) say("The player does not answer; the watch page may"); });
  place.replaceChildren(frame);
}
const toggle = () => {
  if (state === 1 || state === 3) command.pause();
  else command.play();
};
const close = () => {
  stop();
  for (const id of ["stage", "top", "bottom"]) find(id).hidden = true;
  document.body.className = "";
  queue.hidden = false;
  find("why").hidden = false;
  find("why").textContent = served ? "Closed, and the server has ended." : "Closed. A title plays it again.";
  if (served) {
    items.forEach((item) => item.removeAttribute("aria-current"));
    removeEventListener("keydown", press);
    fetch("close", { method: "POST", keepalive: true }).catch(() => {}).finally(() => window.opener && window.close());
  } else if (window.opener) window.close();
  items[at]?.querySelector("a").focus();
};
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.body.className !== "playing") return;
  const key = event.key.toLowerCase();
  const onControl = event.target.closest?.("button, a");
  if (key === "escape") { if (!queue.hidden) open(false); else close(); }
  else if (key === "n") show(at + 1);
  else if (key === "p") show(at - 1);
  else if (key === "m") { command.mute(!muted); became(state); }
  else if (key === "q" && items.length > 1) open(queue.hidden);
  else if (key === "k" || key === " " && !onControl) toggle();
  else return;
  event.preventDefault();
}

if (location.protocol.startsWith("http") && items.length) {
  queue.hidden = true;
  addEventListener("keydown", press);
  find("close").addEventListener("click", close);
  stage.addEventListener("click", ({ target }) => { if (target === stage) close(); });
  find("previous").addEventListener("click", () => show(at - 1));
  find("next").addEventListener("click", () => show(at + 1));
  find("toggle").addEventListener("click", toggle);
  find("list").addEventListener("click", () => open(queue.hidden));
  items.forEach((item, index) => item.querySelector("a").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || stage.hidden && served) return;
    event.preventDefault();
    show(index);
  }));
  show(0);
  find("toggle").focus();
}
