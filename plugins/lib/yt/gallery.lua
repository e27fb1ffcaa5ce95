-- The fixed half of the HTML page: its style, its script, and the policy that allows just these two.
--
-- The policy names both by SHA-256, so whoever changes a byte of either has to write the new hash beside it; with a
-- stale one the browser shows a bare page. This prints both, the style's first:
--
--   ythost run html - </dev/null | perl -MDigest::SHA=sha256_base64 -0777 -ne \
--     'print sha256_base64($1), "=\n" while m{<(?:style|script)>(.*?)</}gs'
--
-- The policy also forbids style="" and onclick="": what depends on a video goes into a class or a data- attribute.

local gallery = {}

-- How many colours a placeholder can have: .hue0 to .hue11 below.
gallery.hues = 12

local style_hash = "iuJ7ZvGlndNahHw/WhLkX3JwmAIdMKHoPVyc6sOt9Qc="
gallery.style = [[

:root { color-scheme: light dark; --page: #f6f6f7; --card: #fff; --text: #17181a; --soft: #5b5e66; --line: #d9dadf;
  --accent: #0b57d0; --live: #c5162e; }
@media (prefers-color-scheme: dark) {
  :root { --page: #131417; --card: #1d1f23; --text: #ececee; --soft: #a5a8b0; --line: #383b42; --accent: #8ab4f8; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2.5rem) 3rem; max-width: 120rem; background: var(--page);
  color: var(--text); font: 1rem/1.4 system-ui, sans-serif; }
h1 { margin: 0 0 1rem; font-size: clamp(1.3rem, 1rem + 1.5vw, 2rem); line-height: 1.2; overflow-wrap: anywhere; }
.about { margin: -.5rem 0 1rem; color: var(--soft); max-width: 50rem; overflow-wrap: anywhere; }
.heading { display: -webkit-box; margin: 2rem 0 .75rem; overflow: hidden; -webkit-box-orient: vertical;
  -webkit-line-clamp: 3; line-clamp: 3; font-size: 1.15rem; overflow-wrap: anywhere; }
section:first-child > .heading { margin-top: 0; }
a { color: inherit; text-decoration: none; }
a:hover { color: var(--accent); text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.controls { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; }
.controls label { display: flex; align-items: center; gap: .5rem; min-width: 0; color: var(--soft); }
.controls label:first-child { flex: 0 1 26rem; }
.controls input, .controls select { min-height: 2.5rem; padding: 0 .75rem; min-width: 0; border: 1px solid var(--soft);
  border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
.controls input { flex: 1; }
.controls select { max-width: 16rem; text-overflow: ellipsis; }
.count { margin: .75rem 0 1rem; color: var(--soft); }
.empty { padding: 3rem 1rem; border: 1px dashed var(--line); border-radius: .75rem; text-align: center; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1.25rem;
  margin: 0; padding: 0; list-style: none; }
/* What is far from the screen is not drawn, so that thousands of cards scroll like ten. */
.card { position: relative; min-width: 0; padding-bottom: .9rem;
  border: 1px solid var(--line); border-radius: .75rem; background: var(--card); overflow: hidden;
  transition: border-color .15s; content-visibility: auto; contain-intrinsic-size: auto 17rem; }
.card:hover { border-color: var(--accent); }
/* Title and channel are cut at their edges, their links' outlines too: the card, or the line, has one instead. */
.card:has(.title :focus-visible), .channel:has(:focus-visible) {
  outline: 3px solid var(--accent); outline-offset: 2px; }
.card .title :focus-visible, .channel :focus-visible { outline: none; }
.words { display: flex; flex-direction: column; gap: .3rem; padding: 0 .9rem; }
.words > * { margin: 0; }
.picture { position: relative; display: grid; place-items: center; aspect-ratio: 16 / 9; margin-bottom: .7rem;
  background: linear-gradient(135deg, hsl(var(--hue) 42% 44%), hsl(calc(var(--hue) + 35) 48% 28%)); color: #fffd;
  font-size: 3.5rem; font-weight: 600; line-height: 1; text-transform: uppercase; }
.picture img, .picture iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; object-fit: cover; }
.picture iframe { z-index: 2; background: #000; }
.hue0 { --hue: 0; } .hue1 { --hue: 30; } .hue2 { --hue: 60; } .hue3 { --hue: 90; } .hue4 { --hue: 120; }
.hue5 { --hue: 150; } .hue6 { --hue: 180; } .hue7 { --hue: 210; } .hue8 { --hue: 240; } .hue9 { --hue: 270; }
.hue10 { --hue: 300; } .hue11 { --hue: 330; }
.badge { position: absolute; inset-inline-end: .5rem; bottom: .5rem; padding: .2rem .4rem; border-radius: .3rem;
  background: #000c; color: #fff; font-size: .8rem; font-variant-numeric: tabular-nums; }
.badge.live { background: var(--live); }
.play { position: absolute; inset: 0; z-index: 1; padding: 0; border: 0; background: none; cursor: pointer; }
.play::before { content: "\25B6\FE0E"; position: absolute; inset-inline-start: .5rem; bottom: .5rem; padding: .3rem .55rem;
  border-radius: .3rem; background: #000c; color: #fff; font-size: .8rem; line-height: 1; }
.play:hover::before { background: var(--live); }
.play:focus-visible { outline-offset: -3px; border-radius: .75rem .75rem 0 0; }
.title { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4;
  font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
/* The link of the title reaches over the picture. */
.title a::after { content: ""; position: absolute; inset: 0 0 auto; aspect-ratio: 16 / 9; }
.channel { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.channel, .facts { color: var(--soft); font-size: .875rem; }
/* Dots between the facts, but none where a line begins: that one hangs over the edge, which cuts it off. */
.facts { overflow: hidden; }
.facts > span { display: flex; flex-wrap: wrap; margin-inline-start: -1.1em; }
.facts > span > span { white-space: nowrap; }
.facts > span > span::before { content: "·"; display: inline-block; width: 1.1em; text-align: center; }

@media (max-width: 30rem) {
  .controls label, .controls label:first-child { flex: 1 1 100%; }
  .controls select { flex: 1; max-width: none; }
  .picture, .title a::after { aspect-ratio: 3; }
  .picture:has(img, iframe), .card:has(img, iframe) .title a::after { aspect-ratio: 16 / 9; }
  .picture { font-size: 2.5rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --text: #000; --soft: #333; --line: #999; }
  body { padding: 0; font-size: 10pt; }
  .controls, .picture > [aria-hidden], .play { display: none; }
  .cards { grid-template-columns: repeat(3, 1fr); gap: .6rem; }
  .card { break-inside: avoid; content-visibility: visible; }
  .heading { break-after: avoid; }
  .picture:not(:has(img)) { aspect-ratio: auto; min-height: 1.6rem; background: none; }
  .picture:not(:has(img)) .badge { left: .9rem; right: auto; padding: 0; background: none; color: #000; }
  .title { -webkit-line-clamp: 8; line-clamp: 8; }
  .title a::after { content: " " attr(href); position: static; font-size: 8pt; font-weight: 400; }
}
]]

local script_hash = "5t2RzPFmnRo72Wvpsf5LteIB1gec/TnFZH13JabnWiY="
-- [=[ and not [[, which would end at the first ]] of the script.
gallery.script = [=[

"use strict";
const find = (id) => document.getElementById(id);
const every = (selector) => Array.from(document.querySelectorAll(selector));

// Ages: the dates are in the page, the time now is not. In whole units: "last year" can be wrong two years back.
const units = [
  ["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60],
];
let relative;
try { relative = new Intl.RelativeTimeFormat(document.documentElement.lang || "en"); }
catch { relative = new Intl.RelativeTimeFormat("en"); } // no language has that name
for (const time of every("time")) {
  const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) || units.at(-1);
  const age = document.createElement("bdi"); // its language may be read the other way
  age.textContent = relative.format(Math.trunc(seconds / size), unit);
  const fact = document.createElement("span");
  fact.append(age);
  time.closest("span").after(" ", fact);
}

// Videos play in the page, once somebody asks for it. Players want to know on which site they are, so a page that is a
// file leads to the page to watch instead.
let playing;
const stop = () => {
  if (!playing) return;
  playing.frame.remove();
  playing.button.hidden = false;
  playing = null;
};
const play = (button, title) => {
  stop();
  const frame = document.createElement("iframe");
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  frame.allow = "accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture";
  frame.allowFullscreen = true;
  frame.title = title;
  frame.src = button.parentElement.dataset.player;
  button.after(frame);
  button.hidden = true;
  frame.focus();
  playing = { frame, button };
};
if (location.protocol.startsWith("http")) {
  for (const picture of every("[data-player]")) {
    const title = picture.parentElement.querySelector(".title").textContent.trim();
    const button = document.createElement("button");
    button.type = "button";
    button.className = "play";
    button.ariaLabel = "Play " + title;
    button.addEventListener("click", () => play(button, title));
    picture.append(button);
  }
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !playing) return;
    const { button } = playing;
    stop();
    button.focus();
  });
}

// Without case, accents and width, so that "uber" finds "Über".
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const words = find("words"), channel = find("channel"), order = find("order"), count = find("count");
if (words) {
  const cards = every(".card").map((card) => {
    const name = card.querySelector(".channel")?.textContent || "";
    return { card, list: card.parentElement, name, text: fold(card.querySelector(".title").textContent + " " + name) };
  });
  count.textContent ||= cards.length.toLocaleString("en") + " videos";
  const all = count.textContent;

  const names = new Map();
  for (const { name } of cards) if (name) names.set(name, (names.get(name) || 0) + 1);
  for (const [name, n] of Array.from(names).sort(([a], [b]) => a.localeCompare(b))) {
    channel.add(new Option(name + " (" + n + ")", name));
  }
  channel.parentElement.hidden = names.size < 2;

  const sections = every("section");
  // Cards that are not wanted are taken out, all at once: hiding thousands one by one takes a browser seconds.
  const show = () => {
    stop();
    const wanted = fold(words.value).split(/\s+/);
    const shown = cards.filter(({ name, text }) =>
      (!channel.value || name === channel.value) && wanted.every((word) => text.includes(word)));
    const value = ({ card }) => Number(card.dataset[order.value] ?? -Infinity);
    if (order.value) shown.sort((a, b) => value(a) < value(b) ? 1 : value(a) > value(b) ? -1 : 0);
    for (const section of sections) {
      const list = section.querySelector(".cards");
      const inside = shown.filter((one) => one.list === list);
      list.replaceChildren(...inside.map(({ card }) => card));
      section.hidden = inside.length === 0;
    }
    count.textContent = shown.length === cards.length ? all : shown.length.toLocaleString("en") + " of " + all;
  };
  words.addEventListener("input", show);
  channel.addEventListener("change", show);
  order.addEventListener("change", show);
  // Once more when somebody comes back from a video: the browser fills in what was typed and chosen.
  addEventListener("pageshow", () => { if (words.value || channel.value || order.value) show(); });
  find("controls").hidden = false;
}

// A picture that is not there gives way to the next one, at last to the letter below it. Some services send a small
// grey one in its stead.
const next = (image) => {
  const others = (image.dataset.others || "").split(" ").filter(Boolean);
  if (!others.length) return image.remove();
  image.src = others.shift();
  image.dataset.others = others.join(" ");
};
const isPicture = (node) => node.tagName === "IMG";
addEventListener("error", ({ target }) => { if (isPicture(target)) next(target); }, true);
addEventListener("load", ({ target }) => {
  if (target !== document && isPicture(target) && target.naturalWidth <= 120 && target.dataset.others) next(target);
}, true);
for (const image of every(".picture img")) if (image.complete && !image.naturalWidth) next(image);
]=]

local function hosts(set)
  local names = {}
  for name in yt.pairs(set) do names[#names + 1] = name end
  return #names > 0 and table.concat(names, " ") or "'none'"
end

-- What the page may do: nothing but its own style and script, frames of these hosts, and pictures of those.
function gallery.policy(frames, images)
  return "default-src 'none'; style-src 'sha256-" .. style_hash .. "'; script-src 'sha256-" .. script_hash .. "'; img-src "
    .. hosts(images) .. "; frame-src " .. hosts(frames) .. "; base-uri 'none'; form-action 'none'"
end

return gallery
