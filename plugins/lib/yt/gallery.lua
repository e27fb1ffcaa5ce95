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

local style_hash = "iwTu4WjIWvuRGR/mJtIWeJUdsdoS+QGtUBv5kpQIMqs="
gallery.style = [[

:root { color-scheme: light dark; --page: #f6f6f7; --card: #fff; --text: #17181a; --soft: #5b5e66; --line: #d9dadf;
  --accent: #0b57d0; --live: #c5162e; }
@media (prefers-color-scheme: dark) {
  :root { --page: #131417; --card: #1d1f23; --text: #ececee; --soft: #a5a8b0; --line: #383b42; --accent: #8ab4f8; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2.5rem) 3rem; max-width: 100rem; background: var(--page);
  color: var(--text); font: 1rem/1.4 system-ui, sans-serif; }
h1 { margin: 0 0 1rem; font-size: clamp(1.3rem, 1rem + 1.5vw, 2rem); line-height: 1.2; overflow-wrap: anywhere; }
a { color: inherit; text-decoration: none; }
a:hover { color: var(--accent); text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.controls { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; }
.controls label { display: flex; align-items: center; gap: .5rem; color: var(--soft); }
.controls label:first-child { flex: 0 1 26rem; }
.controls input, .controls select { min-height: 2.5rem; padding: 0 .75rem; min-width: 0; border: 1px solid var(--soft);
  border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
.controls input { flex: 1; }
.count { margin: .75rem 0 1rem; color: var(--soft); }
.empty { padding: 3rem 1rem; border: 1px dashed var(--line); border-radius: .75rem; text-align: center; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1.25rem;
  margin: 0; padding: 0; list-style: none; }
.card { position: relative; display: flex; flex-direction: column; gap: .3rem; min-width: 0; padding-bottom: .9rem;
  border: 1px solid var(--line); border-radius: .75rem; background: var(--card); overflow: hidden;
  transition: border-color .15s; }
.card:hover { border-color: var(--accent); }
/* Title and channel are cut at their edges, their links' outlines too: the card, or the line, has one instead. */
.card:has(.title :focus-visible), .channel:has(:focus-visible) {
  outline: 3px solid var(--accent); outline-offset: 2px; }
.card :focus-visible { outline: none; }
.card > :not(.picture) { margin: 0 .9rem; }
.picture { position: relative; display: grid; place-items: center; aspect-ratio: 16 / 9; margin-bottom: .4rem;
  background: linear-gradient(135deg, hsl(var(--hue) 42% 44%), hsl(calc(var(--hue) + 35) 48% 28%)); color: #fffd;
  font-size: 3.5rem; font-weight: 600; line-height: 1; text-transform: uppercase; }
.hue0 { --hue: 0; } .hue1 { --hue: 30; } .hue2 { --hue: 60; } .hue3 { --hue: 90; } .hue4 { --hue: 120; }
.hue5 { --hue: 150; } .hue6 { --hue: 180; } .hue7 { --hue: 210; } .hue8 { --hue: 240; } .hue9 { --hue: 270; }
.hue10 { --hue: 300; } .hue11 { --hue: 330; }
.badge { position: absolute; right: .5rem; bottom: .5rem; padding: .2rem .4rem; border-radius: .3rem; background: #000c;
  color: #fff; font-size: .8rem; font-variant-numeric: tabular-nums; }
.badge.live { background: var(--live); }
.title { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4;
  font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
/* The link of the title reaches over the picture. */
.title a::after { content: ""; position: absolute; inset: 0 0 auto; aspect-ratio: 16 / 9; }
.channel { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.channel, .facts { color: var(--soft); font-size: .875rem; }

@media (max-width: 30rem) {
  .picture, .title a::after { aspect-ratio: 3; }
  .picture { font-size: 2.5rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --text: #000; --soft: #333; --line: #999; }
  body { padding: 0; font-size: 10pt; }
  .controls, .picture > [aria-hidden] { display: none; }
  .cards { grid-template-columns: repeat(3, 1fr); gap: .6rem; }
  .card { break-inside: avoid; }
  .picture { aspect-ratio: auto; min-height: 1.6rem; background: none; }
  .badge, .badge.live { left: .9rem; right: auto; padding: 0; background: none; color: #000; }
  .title { -webkit-line-clamp: 8; line-clamp: 8; }
  .title a::after { content: " " attr(href); position: static; font-size: 8pt; font-weight: 400; }
}
]]

local script_hash = "Hw53GB96drEXpyEX1kXeFqipp8NfayfNPdnWGK/X7Jo="
-- [=[ and not [[, which would end at the first ]] of the script.
gallery.script = [=[

"use strict";
// Ages: the dates are in the page, the time now is not. In whole units: "last year" can be wrong two years back.
const units = [
  ["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60],
];
let relative;
try { relative = new Intl.RelativeTimeFormat(document.documentElement.lang || "en"); }
catch { relative = new Intl.RelativeTimeFormat("en"); } // no language has that name
for (const time of document.querySelectorAll("time")) {
  const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) || units.at(-1);
  const age = document.createElement("bdi"); // its language may be read the other way
  age.textContent = relative.format(Math.trunc(seconds / size), unit);
  time.after(" · ", age);
}

// Without case, accents and width, so that "uber" finds "Über".
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const list = document.getElementById("cards");
if (list) {
  const [controls, words, order, count] = ["controls", "words", "order", "count"]
    .map((id) => document.getElementById(id));
  const cards = Array.from(list.children, (card) => ({
    card, text: fold(Array.from(card.querySelectorAll(".title, .channel"), (part) => part.textContent).join(" ")),
  }));
  const all = count.textContent;

  const filter = () => {
    const wanted = fold(words.value).split(/\s+/);
    let shown = 0;
    for (const { card, text } of cards) {
      card.hidden = !wanted.every((word) => text.includes(word));
      if (!card.hidden) shown += 1;
    }
    count.textContent = shown === cards.length ? all : shown + " of " + all;
  };
  const sort = () => {
    const value = ({ card }) => Number(card.dataset[order.value] ?? -Infinity);
    const sorted = cards.slice();
    if (order.value) sorted.sort((a, b) => value(a) < value(b) ? 1 : value(a) > value(b) ? -1 : 0);
    for (const { card } of sorted) list.append(card);
  };
  words.addEventListener("input", filter);
  order.addEventListener("change", sort);
  // Once more when somebody comes back from a video: the browser fills in what was typed and chosen.
  addEventListener("pageshow", () => { filter(); sort(); });
  controls.hidden = false;
}
]=]

gallery.policy = "default-src 'none'; style-src 'sha256-" .. style_hash .. "'; script-src 'sha256-" .. script_hash
  .. "'; base-uri 'none'; form-action 'none'"

return gallery
