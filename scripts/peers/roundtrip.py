"""Writes records with hostile texts as RSS, reads that, and writes what came in every format that carries records: they
come back as they were. A title of RSS may be text or HTML, which readers have to guess, so titles and names have no markup
there. Records with it are written in the other formats directly.

    roundtrip.py YTHOST [RECORDS] [--seed N]

Prints each kind of difference with its first examples. Exit code 1 when there is one.
"""
import argparse, collections, csv, io, json, random, re, subprocess, sys

words = argparse.ArgumentParser()
words.add_argument("ythost")
words.add_argument("records", type=int, nargs="?", default=10_000)
words.add_argument("--seed", type=int, default=1)
words = words.parse_args()
draw = random.Random(words.seed)
# Feeds remember the names of at least this many entries, so a run has no more.
BLOCK = 2000

PIECES = [
    "a", "word", "Ünï", "日本", "👍🏽", "\u05d0\u05d1", " ", "  ", "<", ">", "&", '"', "'", "<b>", "</b>", "<br>", "<p>", "<i>x</i>",
    "if a<b then c>d", "Use <video> tags", "&amp;", "&lt;b&gt;", "&nbsp;", "&#146;", "&copy2023", "]]>", "<![CDATA[", "<!--", "-->",
    "<script>alert(1)</script>", "AT&T", "7\" single", "=1+1", "@x", "-4", ";", ",", "\t", "\\", "%zz", "{{title}}", "#EXTINF:", "://",
    "https://example.org/?a=1&b=2", "<a href='x'>y</a>", "</title>", "</item>", "?>", "<?xml", "Array<Int>", "1 < 2 > 0",
]
# What readers of RSS may take for a tag or a reference in a title.
MARKUP = re.compile(r"<[a-z!/?]|&", re.I)
LINES = ["\n", "\n\n", "\n- ", "\n00:10 "]


def text(lines=False, plain=False):
    pieces = PIECES + LINES if lines else [one for one in PIECES if not plain or not MARKUP.search(one)]
    while True:
        found = "".join(draw.choice(pieces) for _ in range(draw.randint(1, 8)))
        # Two pieces may make a tag.
        if not plain or not MARKUP.search(found):
            return found


def record(number, plain):
    """A record; `plain` is one whose title and names hold no markup."""
    name = f"{number:011}"
    one = {
        "ythost": 1, "provider": "youtube", "id": name, "kind": "video", "url": f"https://www.youtube.com/watch?v={name}",
        "title": "t" + text(plain=plain), "published": f"20{draw.randint(10, 25)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}T12:00:{draw.randint(10, 59)}Z",
        "channel": {"id": f"UC{number % 97:022}", "title": "c" + text(plain=plain), "url": f"https://www.youtube.com/channel/UC{number % 97:022}"},
    }
    if draw.random() < 0.8:
        one["description"] = "d" + text(lines=True) + "."
    if draw.random() < 0.5:
        one["duration"] = draw.randint(1, 20_000)
    return one


def run(arguments, given):
    process = subprocess.run([words.ythost, *arguments], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if process.returncode:
        sys.exit(f"{arguments}: exit code {process.returncode}: {process.stderr.decode(errors='replace')[:500]}")
    return process.stdout


def lines(records):
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def parsed(document):
    return [json.loads(line) for line in run(["run", "jsonl", "-"], document).splitlines()]


def squeezed(value):
    """Feeds and pages write runs of white space as one space, except for line ends of descriptions."""
    return value if value is None else re.sub(r"\s+", " ", value).strip()


def tidied(value):
    """A description as HTML shows it: no space around line ends, and one empty line at most."""
    if value is None:
        return None
    found = re.sub(r"[ \t]+(?=\n|$)", "", value)
    return re.sub(r"\n{3,}", "\n\n", found).strip()


faults, examples = collections.Counter(), {}


def compare(place, before, after, fields):
    if len(before) != len(after):
        faults[place, "number"] += 1
        examples.setdefault((place, "number"), []).append((len(before), len(after)))
        return
    for one, other in zip(before, after):
        for field, change in fields.items():
            was, came = one.get(field), other.get(field)
            if field == "channel":
                was, came = (was or {}).get("title"), (came or {}).get("title")
            if change(was) != change(came):
                faults[place, field] += 1
                examples.setdefault((place, field), []).append((was, came))


def same(value):
    return value


EXACT = dict.fromkeys(["provider", "id", "kind", "url", "published", "title", "channel", "description"], same)
COLUMNS = ["id", "title", "channel", "published", "duration", "url", "description"]


def formats(place, records, titles):
    """Writes records in each format and compares what is read; `titles` is how feeds may change titles and names."""
    for name in ["rss", "atom", "jsonfeed"] if place == "RSS" else ["atom", "jsonfeed"]:
        back = parsed(run(["run", name, "-"], lines(records)))
        fields = {**EXACT, "title": titles, "channel": titles, "description": tidied}
        if name != "jsonfeed":
            fields["duration"] = same
        if name != "rss":
            # An entry of these always says something: the title, where there is no description.
            for one, other in zip(records, back):
                if "description" not in one:
                    other.pop("description", None)
        compare(f"{place} to {name}", records, back, fields)
    for flags, mark in [([], ","), (["--separator", "semicolon", "--bom"], ";"), (["--separator", "tab"], "\t")]:
        table = run(["run", "csv", "-", "--columns", ",".join(COLUMNS), *flags], lines(records)).decode("utf-8-sig")
        back = list(csv.DictReader(io.StringIO(table, newline=""), delimiter=mark))
        for row in back:
            row["channel"] = {"title": row["channel"]}
            row["duration"] = int(row["duration"]) if row["duration"] else None
            row["description"] = row["description"] or None
        compare(f"{place} to csv {mark!r}", records, back, dict.fromkeys(COLUMNS, same))
    playlist = run(["run", "m3u", "-"], lines(records)).decode().split("\n")
    entries = [
        {"url": address, "title": info.split(",", 1)[1]}
        for info, address in zip(playlist, playlist[1:]) if info.startswith("#EXTINF:-1,") or re.match(r"#EXTINF:\d+,", info)]
    compare(f"{place} to m3u", records, entries, {"url": same, "title": squeezed})
    # The first record of a channel names it.
    names = {one["channel"]["url"]: squeezed(one["channel"]["title"]) for one in reversed(records)}
    found = {one["url"]: squeezed(one["title"]) for one in parsed(run(["run", "opml", "-"], lines(records)))}
    compare(f"{place} to opml", [names], [found], dict.fromkeys(names, same))


for start in range(0, words.records, BLOCK):
    numbers = range(start, min(start + BLOCK, words.records))
    given = [record(number, plain=True) for number in numbers]
    first = parsed(run(["run", "rss", "-"], lines(given)))
    compare("records to RSS", given, first, {**EXACT, "title": squeezed, "channel": squeezed, "description": tidied, "duration": same})
    # What was read has the channel's name alone.
    formats("RSS", [{**one, "channel": {**one.get("channel", {}), **{k: was["channel"][k] for k in ["id", "url"]}}} for was, one in zip(given, first)], same)
    formats("records", [record(number, plain=False) for number in numbers], squeezed)

for (place, field), count in faults.most_common():
    print(f"{place}: {count} other values of {field}")
    for was, came in examples[place, field][:3]:
        print(f"    {was!r}\n    {came!r}")
print(f"{words.records} records, {sum(faults.values())} differences, seed {words.seed}")
sys.exit(1 if faults else 0)
