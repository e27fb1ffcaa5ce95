"""Reads feedparser's own test files with ythost and with feedparser, and lists where they differ.

    feeds.py YTHOST TESTS [--show N]

TESTS is the folder `tests` of feedparser's source distribution. A difference is judged by the table below: each kind says what
it is, and how many files may show it; what is not in the table, or shows more often, makes this fail. A file that ythost
ends in any other way than with records or an error of its own fails too.
"""

import argparse
import calendar
import collections
import datetime
import html
import json
import pathlib
import re
import subprocess
import sys

import feedparser

# kind: (files that may show it, why it is right)
JUDGED = {
    "an entry that says nothing": (690, "an entry without title, address and text is left out, and that is said"),
    "refused": (25, "EBCDIC and UTF-32, which no feed of today is in, and a document without an element"),
    "title: markup": (10, "titles of Atom 0.3 in base64 stay; type=text is text, whatever it looks like; a page inside a title"),
    "title": (1, "Shift_JIS that nothing declares is read as windows-1252: it is not guessed"),
    "link: id": (11, "feedparser takes any guid or id for a link; here it must be an address, and not one of Atom's id"),
    "link: resolved": (5, "feedparser resolves against the host of its tests, or keeps what is no address"),
    "link: CDF": (1, "Netscape's CDF is not read as a feed"),
    "link only here": (7, "without another link an enclosure, a player or a guid that is an address is one"),
    "date unknown here": (1, "dates of Netscape's CDF"),
}


# A title in base64, as plain text or as markup.
MARKUP = re.compile(rb"base64|text/plain|<title[^>]*type=|DOCTYPE")


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text or "")).split())


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()) if text else None


def differences(data, ours, error):
    """The kinds of difference between two readings of a document, each with what to show."""
    theirs = feedparser.parse(data).entries
    if len(ours) != len(theirs):
        yield ("an entry that says nothing" if "left out" in error and len(ours) < len(theirs) else "count"), (len(theirs), len(ours), error)
        return
    for entry, record in zip(theirs, ours):
        one, other = plain(entry.get("title")), " ".join((record.get("title") or "").split())
        if one != other:
            kind = "title" if b"shift" in data.lower()[:400] or not MARKUP.search(data) else "title: markup"
            yield kind, (one, other)
        one, other = entry.get("link") or None, record.get("url")
        if one != other:
            cdf = b"<CHANNEL" in data
            kind = "link only here" if not one else "link: CDF" if cdf else "link: resolved" if "://" not in one else "link: id"
            yield kind, (one, other)
        parsed = entry.get("published_parsed") or entry.get("updated_parsed") or entry.get("created_parsed")
        one, other = calendar.timegm(parsed) if parsed else None, seconds(record.get("published"))
        if one != other:
            yield ("date" if other is not None else "date unknown here"), (entry.get("published") or entry.get("updated"), one, other)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("ythost")
    arguments.add_argument("tests", type=pathlib.Path)
    arguments.add_argument("--show", type=int, default=5, help="examples of each kind")
    options = arguments.parse_args()
    files = sorted(f for folder in ("encoding", "entities", "illformed", "wellformed") for f in (options.tests / folder).rglob("*.xml"))
    found, examples, broken = collections.Counter(), collections.defaultdict(list), []
    for file in files:
        data = file.read_bytes()
        run = subprocess.run([options.ythost, "parse", "--as", "feed", "-"], input=data, capture_output=True)
        error = run.stderr.decode("utf-8", "replace").strip()
        name = str(file.relative_to(options.tests))
        if run.returncode not in (0, 2):
            broken.append(f"{name}: exit code {run.returncode}: {error}")
            continue
        ours = [json.loads(line) for line in run.stdout.splitlines()]
        kinds = [("refused", (error,))] if run.returncode else list(differences(data, ours, error))
        for kind in {kind for kind, _ in kinds}:
            found[kind] += 1
        for kind, shown in kinds:
            if len(examples[kind]) < options.show:
                examples[kind].append((name, *shown))
    print(f"feeds: {len(files)} files of feedparser {feedparser.__version__}")
    for kind, count in found.most_common():
        most, why = JUDGED.get(kind, (0, "not judged"))
        print(f"  {count:5} of at most {most:4}  {kind}: {why}")
        if count > most:
            broken.append(f"{kind}: {count} files")
            for example in examples[kind]:
                print("          ", *(str(part)[:100] for part in example), sep=" | ")
    if len(files) < 1000:
        broken.append(f"only {len(files)} files in {options.tests}")
    for line in broken:
        print("  !", line)
    return 1 if broken else 0


sys.exit(main())
