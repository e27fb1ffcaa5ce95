"""Asks ythost and other programs the same random questions, and lists where they differ.

    compare.py YTHOST [--count N] [--seed N] [KIND...]

A difference is judged by the rules beside each kind: what a rule names is known and counted; what no rule names is shown,
and makes this fail. A rule is written only after reading the specification, and a mistake of ythost's own is mended instead.
Needs yt-dlp, isodate, python-dateutil and wcwidth.
"""

import argparse
import collections
import datetime
import email.utils
import html
import html.entities
import json
import pathlib
import random
import re
import string
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse
import zoneinfo

HERE = pathlib.Path(__file__).resolve().parent
ID = string.ascii_letters + string.digits + "-_"
HEX = "0123456789abcdef"


def word(rng, letters, low, high=None):
    return "".join(rng.choice(letters) for _ in range(rng.randint(low, high or low)))


def mutated(rng, text, pieces):
    """The text, or half of the time with a few of its characters changed."""
    for _ in range(rng.choice([0, 0, 1, 2])):
        at = rng.randint(0, len(text))
        gone = rng.choice([0, 1, 1, 3])
        text = text[:at] + rng.choice(pieces) + text[at + gone :]
    return text


# Addresses, against yt-dlp's extractors.


class Urls:
    hosts = ["www.youtube.com", "youtube.com", "m.youtube.com", "music.youtube.com", "www.youtube-nocookie.com",
             "www.youtubekids.com", "youtube.googleapis.com"]  # fmt: skip
    times = ["90", "90s", "1m30s", "1h6m47s", "1h", "2m", "0", "1m40", "01:30", "1.5", "5m1h"]
    lookalikes = ["www.youtube.com.evil.example", "notyoutube.com", "youtube.com@evil.example", "yout.ube", "vimeo.com.evil.example",
                  "xvimeo.com", "evil.example/youtube.com"]  # fmt: skip

    def ask(self, rng):
        video = word(rng, ID, rng.choices([11, 10, 12], [8, 1, 1])[0])
        number, code = str(rng.randint(1, 10**9)), word(rng, HEX, 10)
        playlist = rng.choice(["PL", "UU", "OLAK5uy_", "RD", "FL"]) + word(rng, ID, 16, 34)
        channel = "UC" + word(rng, ID, 22)
        name = word(rng, string.ascii_letters + string.digits, 3, 20)
        uuid = "-".join(word(rng, HEX, n) for n in (8, 4, 4, 4, 12))
        host = rng.choice(self.hosts) if rng.random() < 0.93 else rng.choice(self.lookalikes)
        paths = [
            f"{host}/watch?v={video}", f"{host}/watch?feature=share&v={video}", f"{host}/embed/{video}", f"{host}/v/{video}",
            f"{host}/e/{video}", f"{host}/shorts/{video}", f"{host}/live/{video}", f"youtu.be/{video}", f"{host}/watch_popup?v={video}",
            f"{host}/watch?v={video}&list={playlist}", f"{host}/playlist?list={playlist}", f"{host}/embed/videoseries?list={playlist}",
            f"{host}/channel/{channel}", f"{host}/@{name}", f"{host}/user/{name}", f"{host}/c/{name}", f"{host}/channel/{channel}/videos",
            f"{host}/attribution_link?a=x&u=%2Fwatch%3Fv%3D{video}", f"{host}/redirect?q=https%3A%2F%2Fyoutu.be%2F{video}",
            f"{host}/feed/subscriptions", f"{host}/results?search_query=x", f"{host}/", f"{host}/watch", f"{host}/hashtag/{name}",
            f"vimeo.com/{number}", f"vimeo.com/{number}/{code}", f"player.vimeo.com/video/{number}", f"vimeo.com/channels/{name}/{number}",
            f"player.vimeo.com/video/{number}?h={code}", f"vimeo.com/groups/{name}/videos/{number}", f"vimeo.com/album/{number}",
            f"vimeo.com/showcase/{number}/video/{number}", f"vimeo.com/ondemand/{name}/{number}", f"vimeo.com/{name}/review/{number}/{code}",
            f"vimeo.com/event/{number}", f"framatube.org/videos/watch/{uuid}", f"framatube.org/w/{uuid}", f"peertube.example/videos/embed/{uuid}",
        ]  # fmt: skip
        text = rng.choice(paths)
        if rng.random() < 0.3:
            mark = rng.choice(["&" if "?" in text else "?", "#"])
            text += mark + rng.choice(["t=", "t=", "start="]) + rng.choice(self.times)
        text = rng.choice(["https://", "https://", "http://", "", "//"]) + text
        if rng.random() < 0.2:
            text = mutated(rng, text, ["", "/", "?", "&", "#", ".", "-", "%20", "x", "=", "v", "@", ":"])
        return ["url", text]

    def load(self):
        from yt_dlp.extractor.peertube import PeerTubeIE
        from yt_dlp.extractor.vimeo import VimeoAlbumIE, VimeoChannelIE, VimeoEventIE, VimeoGroupsIE, VimeoIE, VimeoOndemandIE
        from yt_dlp.extractor.vimeo import VimeoReviewIE, VimeoUserIE
        from yt_dlp.extractor.youtube import YoutubeIE, YoutubePlaylistIE, YoutubeTabIE
        from yt_dlp.utils import parse_duration

        self.parse_duration = parse_duration
        self.video = [("youtube", YoutubeIE), ("vimeo", VimeoIE), ("peertube", PeerTubeIE), ("vimeo", VimeoReviewIE), ("vimeo", VimeoOndemandIE)]
        self.other = [YoutubeTabIE, YoutubePlaylistIE, VimeoAlbumIE, VimeoChannelIE, VimeoEventIE, VimeoGroupsIE, VimeoUserIE]

    def peer(self, question):
        text = question[1]
        # yt-dlp itself adds the scheme that is missing.
        if text.startswith("//"):
            text = "https:" + text
        elif "://" not in text:
            text = "https://" + text
        for provider, extractor in self.video:
            if extractor.suitable(text):
                match = extractor._match_valid_url(text).groupdict()
                return (provider, "video", match.get("id") or extractor.get_temp_id(text))
        for extractor in self.other:
            if extractor.suitable(text):
                return ("", "other", "")
        return None

    def same(self, question, ours, theirs):
        if theirs is None:
            return "provider" not in ours
        if theirs[1] == "other":
            return "provider" in ours and ours["kind"] != "video" or "provider" not in ours
        return "provider" in ours and (ours["provider"], ours["id"]) == (theirs[0], theirs[2])

    def judge(self, question, ours, theirs):
        text, reason = question[1], ours.get("reason", "")
        if "this has 12" in reason or "this has 1" in reason or "this has 2" in reason:
            return "ours: yt-dlp takes the first 11 characters of a longer id"
        if theirs and theirs[0] == "peertube" and "provider" not in ours:
            return "ours: PeerTube's path, but the id has more than a UUID"
        if theirs and "provider" not in ours:
            if "letters, digits" in reason:
                return "ours: the id has other characters"
            if "user information" in reason:
                return "ours: user information before the host"
            if "has no port" in reason:
                return "ours: a port the service does not have"
            if theirs[1] == "video" and theirs[0] == "youtube" and ours.get("reason", "").startswith("YouTube ids have"):
                return "ours: an id of the wrong length"
        if theirs and theirs[1] == "video" and ours.get("kind") in ("playlist", "channel", "handle", "user", "custom", "review", "ondemand"):
            if ours["kind"] in ("review", "ondemand"):
                return "ours: the same page, told apart from a video"
        if "attribution_link" in text or "redirect" in text:
            return "ours: the address inside is followed"
        if theirs and ours.get("provider") == "vimeo" and ours["kind"] == "video":
            return "ours: the number after `video`, where another number or a colon was put in"
        if theirs and theirs[:2] == ("vimeo", "video") and ours.get("kind") != "video":
            return "ours: a number after words that Vimeo does not have, or another page of the same number"
        if theirs and theirs[1] == "other" and ours.get("kind") == "video" and "list=" in text:
            return "ours: the video is named, its list is kept beside it when it has the form of one"
        if theirs is None and "provider" in ours:
            if ours["provider"] == "youtube" and (ours["kind"] != "video" or ours.get("list")) and re.search("nocookie|googleapis|kids", text):
                return "ours: channels and lists on hosts where yt-dlp knows videos only"
            host = re.sub(r"^(https?:)?//", "", text).split("/")[0]
            if ours["provider"] == "youtube" and host not in self.hosts + ["youtu.be"]:
                return "ours: any name below YouTube's, also with an empty port"
            if ours["provider"] == "youtube" and re.search(r"/watch/[^?]*\?.*\bv=", text):
                return "ours: something behind /watch/, and the video where it always is"
            if ours["provider"] == "youtube" and ours["kind"] == "playlist":
                return "ours: a list's id by how it begins, whatever its length"
            if ours["provider"] == "youtube" and "watch&" in text:
                return "ours: a path that swallowed its query"
            if ours["provider"] == "youtube" and re.search(r"[?&#].*\?|[^:]//|[/&?#][&?#]|&[^=]*$|#", text):
                return "ours: doubled slashes, parameters joined with what is at hand, or a fragment"
            if ours["provider"] == "youtube" and ours["kind"] == "video" and "list=" in text and not ours.get("list"):
                return "ours: the video is named, what is no list's id is left out"
            if ours["provider"] == "vimeo":
                return "ours: a hash, query or fragment that Vimeo does not write; what is named is the same"
            if ours["provider"] == "peertube":
                return "ours: PeerTube on a server yt-dlp does not list, known by its UUID"
        return None


# ISO 8601 durations, against isodate.


class Durations:
    def ask(self, rng):
        def part(letter):
            if rng.random() < 0.5:
                return ""
            digits = word(rng, string.digits, 1, rng.choice([2, 2, 5]))
            if rng.random() < 0.1:
                digits += rng.choice(".,") + word(rng, string.digits, 1, 4)
            return digits + letter

        text = "P" + "".join(part(c) for c in rng.choice(["YMD", "D", "W", "D", "D", "WD"]))
        if rng.random() < 0.8:
            text += "T" + "".join(part(c) for c in "HMS")
        if rng.random() < 0.15:
            text = mutated(rng, text, ["", "P", "T", "H", "M", "S", "D", "-", "+", " ", "1", ".", "W", "x", "h"])
        return ["duration", text]

    def load(self):
        import isodate

        self.isodate = isodate

    def peer(self, question):
        try:
            value = self.isodate.parse_duration(question[1], as_timedelta_if_possible=True)
        except Exception:  # isodate raises several kinds for bad text
            return None
        if not isinstance(value, datetime.timedelta):
            return "calendar"
        return (value.days * 86400 + value.seconds) if value >= datetime.timedelta() else "negative"

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        text, value = question[1], ours.get("value")
        if theirs in ("calendar", "negative") and value is None:
            return "ours: months and years have no length" if theirs == "calendar" else "ours: a length below zero"
        if value is None and re.search(r"\d[YM](?=.*T|$|\d)", text.split("T")[0]):
            return "ours: months and years have no length"
        if value is None and theirs is not None:
            if re.search(r"T$", text) or text == "P":
                return "ours: T, or P, with nothing after it (ISO 8601-1, 5.5.2.3)"
            if re.match(r"[+-]", text):
                return "ours: a sign is no part of ISO 8601-1"
            if re.search(r"\d[.,]\d+[A-Z].*\d", text):
                return "ours: only the last number may have a fraction (ISO 8601-1, 5.5.2.3)"
        if theirs is None and value is not None:
            if "W" in text.upper():
                return "ours: weeks beside days, which services write"
            if "P" not in text.upper():
                return "ours: not ISO 8601 but a length as people write it"
            if re.search(r"[a-z]", text):
                return "ours: letters in lower case"
            if text != text.strip():
                return "ours: white space around it"
            if re.search(r"[.,]\d*[DWHM]", text):
                return "ours: a fraction of the smallest unit, whatever it is (ISO 8601-1, 5.5.2.3)"
        if value is not None and isinstance(theirs, int) and abs(value - theirs) <= 1 and re.search(r"[.,]", text):
            return "ours: fractions exact; isodate's floats are not"
        return None


# Dates: RFC 3339 against dateutil, RFC 822 against email.utils.


class Dates:
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    def ask(self, rng):
        year = rng.choice([rng.randint(1, 9999), rng.randint(1900, 2100), rng.randint(1970, 2030)])
        month, day = rng.randint(1, 12), rng.choice([rng.randint(1, 28), rng.randint(1, 31), 29])
        clock = [rng.randint(0, 23), rng.randint(0, 59), rng.choice([rng.randint(0, 59), 60 if rng.random() < 0.05 else 0])]
        if rng.random() < 0.5:
            text = f"{year:04}-{month:02}-{day:02}"
            if rng.random() < 0.9:
                text += rng.choice("TTTt ") + "{:02}:{:02}:{:02}".format(*clock)
                if rng.random() < 0.3:
                    text += "." + word(rng, string.digits, 1, 9)
                text += rng.choice(["Z", "Z", "z", "+02:00", "-0800", "+05:30", "+00:00", "-03", "", "+14:00", "+23:59"])
            kind = "iso"
        else:
            text = rng.choice(["", f"{rng.choice(self.days)}, "]) + f"{rng.choice([f'{day:02}', str(day)])} {self.months[month - 1]} "
            text += rng.choice([f"{year:04}", f"{year:04}", f"{year % 100:02}"]) + " {:02}:{:02}".format(*clock)
            text += rng.choice([f":{clock[2]:02}", f":{clock[2]:02}", ""])
            text += " " + rng.choice(["GMT", "+0000", "-0700", "EST", "PDT", "UT", "Z", "+0530", "-0000", "CST", "A", "CEST", "+0200 (CEST)"])
            kind = "mail"
        if rng.random() < 0.15:
            text = mutated(rng, text, ["", "1", "0", ":", "-", "T", " ", "+", "x", ".", "Z", "9"])
        return ["date", text, kind]

    def load(self):
        from dateutil.parser import isoparse

        self.isoparse = isoparse

    def peer(self, question):
        text, kind = question[1:]
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        try:
            value = self.isoparse(text) if kind == "iso" else email.utils.parsedate_to_datetime(text)
        except Exception:  # several kinds for bad text
            return None
        if value.tzinfo is None:
            if re.fullmatch(r"\s*\d{4}-\d\d-\d\d\s*", text) or "-0000" in text:
                value = value.replace(tzinfo=datetime.timezone.utc)
            else:
                return "local"
        return (value - epoch) // datetime.timedelta(seconds=1)

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        text, value, kind = question[1], ours.get("value"), question[2]
        if value is None and theirs == "local":
            return "ours: no zone, so no point in time"
        if ":60" in text and value is not None:
            return "ours: a leap second, which the peers refuse or cannot hold"
        if value is None and theirs is not None:
            return self.refused(text, kind)
        if kind == "mail" and value is not None and text.endswith(")"):
            return "ours: a comment right after the zone (RFC 5322, 3.2.2)"
        if kind == "mail" and value is not None and re.search(r"[+-]\d\d\s*$", text):
            return "ours: an offset of two digits is hours"
        if kind == "mail" and value is not None and re.search(r"[+-]\d\d:\d\d\s*$", text):
            return "ours: an offset with a colon, which email.utils drops"
        if kind == "mail" and re.match(r"\w+ +,", text):
            return "ours: a space before the comma (RFC 5322, 4.3)"
        if theirs is None or theirs == "local":
            return self.taken(text, kind, value)
        year = re.search(r"[a-z] +(\d{2,4}) ", text, re.I)
        if kind == "mail" and year and re.fullmatch("00\\d\\d", year[1]):
            return "ours: four digits are that very year"
        if kind == "mail" and year and len(year[1]) == 3:
            return "ours: a year of three digits is after 1900 (RFC 5322, 4.3)"
        if kind == "mail" and year and len(year[1]) == 2:
            return "ours: two digits from 50 to 68 are in the 1900s (RFC 5322, 4.3), email.utils follows POSIX"
        return None

    def refused(self, text, kind):
        if kind == "iso":
            if re.search(r"[+-]24", text) or "24:00" in text or "T24" in text:
                return "ours: 24 o'clock is not in RFC 3339"
            return "ours: other forms of ISO 8601 that RFC 3339 leaves out"
        if re.search(r":\d\d ?[+-]\d{0,3}(\D|$)|[+-]\d{5,}|[+-]\d\d[6-9]\d|[+-](2[4-9]|[3-9]\d)\d\d", text):
            return "ours: an offset that is no four digits, or more than a day"
        return "ours: email.utils guesses at what RFC 5322 does not allow"

    def taken(self, text, kind, value):
        if kind == "iso":
            if re.search(r"\d [Z+-]|\dt\d|z$| \d", text) or text != text.strip():
                return "ours: t, z, or a space, as RFC 3339 allows"
            if re.search(r"\.\d{7,}", text):
                return "ours: fractions of any length"
            if re.search(r"T\d\d:\d\d[Z+-]", text):
                return "ours: no seconds, as W3C's profile has it"
        elif re.search(r"[ \d](GMT|UT|UTC|EST|EDT|CST|CDT|MST|MDT|PST|PDT|[A-IK-Za-ik-z])\b", text):
            return "ours: a zone that RFC 822 names"
        return None


# Columns, against wcwidth.


class Widths:
    def ask(self, rng):
        pools = [range(0x20, 0x7F), range(0xA0, 0x250), range(0x300, 0x370), range(0x370, 0x600), range(0x600, 0x6FF), range(0x900, 0xDFF),
                 range(0xE00, 0xE7F), range(0x1100, 0x1200), range(0x2000, 0x2070), range(0x2190, 0x2C00), range(0x3000, 0x3100),
                 range(0x4E00, 0x4F00), range(0xAC00, 0xAD00), range(0xFE00, 0xFE10), range(0xFF00, 0xFFEF), range(0x1F300, 0x1F700),
                 range(0x1F900, 0x1FA00), range(0x1F1E6, 0x1F200), range(0x20000, 0x20100), range(0x1F3FB, 0x1F400)]  # fmt: skip
        text = ""
        for _ in range(rng.randint(1, 6)):
            if rng.random() < 0.15:
                text += rng.choice(["👨‍👩‍👧", "❤️", "1️⃣", "🇯🇵", "👍🏽", "é", "กำ", "각", "क्षि", "☎︎", "🏴‍☠️"])
            else:
                scalar = chr(rng.choice(rng.choice(pools)))
                if unicodedata.category(scalar) not in ("Cn", "Cc", "Cs", "Zl", "Zp"):
                    text += scalar
        return ["width", text]

    def load(self):
        import wcwidth

        self.width = wcwidth.wcswidth

    def peer(self, question):
        return self.width(question[1])

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        text, value = question[1], ours["value"]
        if re.search("[\u1100-\u11ff\ud7b0-\ud7ff].?[\u1100-\u11ff\uac00-\ud7ff]|[\u1100-\u11ff]", text):
            return "either: letters of one Hangul syllable; ours counts the syllable, as one cluster (UAX #29)"
        if re.search("[\U0001f1e6-\U0001f1ff]", text):
            return "either: a regional indicator alone; ours is 2, as most terminals draw it"
        if re.search("\u200d", text):
            return "ours: a joiner hides what follows it only between emoji"
        if re.search("[\u2630-\u2637\u268a-\u268f]", text):
            return "either: signs that Unicode 16 made wide"
        if re.search("[\U0001f3fb-\U0001f3ff]", text):
            return "either: a skin tone after what cannot wear one"
        if re.search("[\u302e\u302f\u0600-\u0605\u06dd\ufe0e]", text):
            return "either: marks that stand beside their letter, signs before digits, and emoji asked to be text"
        if re.search("[\u0900-\u0dff\u0e33\u0eb3\u1000-\u1cff]", text):
            return "either: marks of Indic scripts that stand beside their letter"
        return None


# Character references, against html.unescape.


class Entities:
    names = list(html.entities.html5)

    def ask(self, rng):
        text = ""
        for _ in range(rng.randint(1, 5)):
            text += rng.choice([
                "&" + rng.choice(self.names), "&" + rng.choice(self.names), "&" + rng.choice(self.names).rstrip(";"), f"&#{rng.randint(0, 1200000)};",
                f"&#x{rng.randint(0, 1200000):x};", f"&#{rng.randint(0, 300)}", "&#", "&#x", "&", "&amp;", ";", word(rng, string.ascii_letters, 0, 4),
                "&" + word(rng, string.ascii_letters, 1, 8) + ";", "é", "日", f"&#X{rng.randint(0, 300):X};", "&#" + "9" * rng.randint(1, 30) + ";", "=",
            ])  # fmt: skip
        return ["entity", mutated(rng, text, ["", "&", ";", "#", "x", "1"])]

    def load(self):
        pass

    def peer(self, question):
        return html.unescape(question[1])

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        return None


# Zones and patterns, against Python's zoneinfo and strftime.


class Zones:
    conversions = "YmdHMSyejaAbBpIZzFTDRuwVGCghcxXUWkl"

    def ask(self, rng):
        time = rng.choice([rng.randint(-2_000_000_000, 4_100_000_000), rng.randint(-59_000_000_000, 250_000_000_000)])
        pattern = " ".join("%" + rng.choice(self.conversions) for _ in range(rng.randint(1, 4)))
        return ["zone", time, pattern, rng.choice(self.zones)]

    def load(self):
        self.zones = sorted(
            name for name in zoneinfo.available_timezones()
            if not name.startswith("System") and pathlib.Path("/usr/share/zoneinfo", name).is_file() and name not in ("localtime", "Factory")
        )  # fmt: skip
        zoneinfo.reset_tzpath(["/usr/share/zoneinfo"])

    def peer(self, question):
        _, time, pattern, zone = question
        moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=time)
        return moment.astimezone(zoneinfo.ZoneInfo(zone)).strftime(pattern)

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        value, pattern = ours.get("value") or "", question[2]
        if "%z" in pattern:
            theirs = re.sub(r"([+-]\d{4})\d\d\b", r"\1", theirs)
            if theirs == value:
                return "ours: offsets in whole minutes, as RFC 3339 has them"
        if re.search("%[YFGcC]", pattern) and re.sub(r"\b0+(?=\d)", "", value) == re.sub(r"\b0+(?=\d)", "", theirs):
            return "ours: years before 1000 have four digits"
        return None


# Relative references, against urllib.


class Joins:
    def ask(self, rng):
        def path(low, high):
            parts = [rng.choice(["a", "b", ".", "..", "", "c;d", "e.f", "..."]) for _ in range(rng.randint(low, high))]
            return "/".join(parts)

        tail = rng.choice(["", "", "?q", "#f", "?q=/../x", "?q#f"])
        base = "http://h" + rng.choice(["", ":8080"]) + rng.choice(["", "/" + path(1, 4)]) + rng.choice(["", "?x"])
        reference = rng.choice([path(0, 5), "/" + path(1, 4), "./" + path(1, 3), "../" + path(1, 3), "//g/" + path(0, 2), "ftp://x/" + path(0, 2)])
        return ["join", base, reference + tail]

    def load(self):
        pass

    def peer(self, question):
        return urllib.parse.urljoin(question[1], question[2])

    def same(self, question, ours, theirs):
        return ours.get("value") == theirs

    def judge(self, question, ours, theirs):
        value, (base, reference) = ours.get("value") or "", question[1:]
        if value == self.by_the_letter(base, reference):
            return "ours: RFC 3986, 5.2 by the letter; urllib drops empty segments and keeps the dots of whole URLs"
        return None

    def by_the_letter(self, base, reference):
        """RFC 3986, 5.2.2 to 5.3, as its pseudocode stands there."""
        split = re.compile(r"(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?")
        _, scheme, _, host, path, _, query, _, _ = split.match(base).groups()
        _, r_scheme, _, r_host, r_path, _, r_query, _, fragment = split.match(reference).groups()
        if r_scheme is not None:
            scheme, host, path, query = r_scheme, r_host, self.without_dots(r_path), r_query
        elif r_host is not None:
            host, path, query = r_host, self.without_dots(r_path), r_query
        elif r_path == "":
            query = query if r_query is None else r_query
        else:
            if not r_path.startswith("/"):
                r_path = "/" + r_path if path == "" else path[: path.rindex("/") + 1] + r_path
            path, query = self.without_dots(r_path), r_query
        text = f"{scheme}:" + ("" if host is None else f"//{host}") + path
        return text + ("" if query is None else "?" + query) + ("" if fragment is None else "#" + fragment)

    def without_dots(self, path):
        out = ""
        while path:
            if path.startswith(("../", "./")):
                path = path[path.index("/") + 1 :]
            elif path.startswith("/./") or path == "/.":
                path = "/" + path[3:]
            elif path.startswith("/../") or path == "/..":
                path, out = "/" + path[4:], out[: max(out.rfind("/"), 0)]
            elif path in (".", ".."):
                path = ""
            else:
                end = path.find("/", 1)
                end = len(path) if end < 0 else end
                out, path = out + path[:end], path[end:]
        return out


KINDS = {"urls": Urls, "durations": Durations, "dates": Dates, "widths": Widths, "entities": Entities, "zones": Zones, "joins": Joins}


def compare(name, ythost, count, seed, folder):
    kind = KINDS[name]()
    kind.load()
    rng = random.Random(f"{name} {seed}")
    questions = [kind.ask(rng) for _ in range(count)]
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(question) + "\n" for question in questions))
    run = subprocess.run(
        [ythost, "run", str(HERE / "answer.lua"), str(file), "--allow", f"read:{file}", "--budget",
         "memory=none,cpu=none,wall=none,output=none"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    answers = [json.loads(line) or {} for line in run.stdout.split("\n") if line]
    if len(answers) != count:
        sys.exit(f"{name}: {len(answers)} answers to {count} questions: {run.stderr[-500:]}")
    known, unknown = collections.Counter(), []
    for question, ours in zip(questions, answers):
        theirs = kind.peer(question)
        if kind.same(question, ours, theirs):
            continue
        verdict = kind.judge(question, ours, theirs)
        if verdict:
            known[verdict] += 1
        else:
            unknown.append((question[1:], ours, theirs))
    print(f"{name}: {count} questions, {sum(known.values()) + len(unknown)} differences, {len(unknown)} of them not judged")
    for verdict, times in known.most_common():
        print(f"  {times:6}  {verdict}")
    for question, ours, theirs in unknown[:12]:
        print(f"  ?  {question!r}: ours {ours!r}, theirs {theirs!r}")
    return not unknown


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ythost")
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = [compare(kind, options.ythost, options.count, options.seed, pathlib.Path(folder)) for kind in options.kinds or KINDS]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
