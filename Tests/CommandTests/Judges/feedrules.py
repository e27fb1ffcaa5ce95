"""Judges a feed by the rules that validators have, and prints what it finds as JSON: a list of sentences.

Reads the feed on standard input; the argument says what it is to be: rss, podcast, atom, jsonfeed or opml. The rules are
those of RSS 2.0, Media RSS, the iTunes vocabulary, RFC 4287, JSON Feed 1.1 and OPML 2.0, and the warnings that feed
validators give about feeds that follow them.
"""
import datetime, email.utils, json, re, sys
import xml.etree.ElementTree as E

ATOM = "{http://www.w3.org/2005/Atom}"
MEDIA = "{http://search.yahoo.com/mrss/}"
DC = "{http://purl.org/dc/elements/1.1/}"
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
PODCAST = "{https://podcastindex.org/namespace/1.0}"
XML = "{http://www.w3.org/XML/1998/namespace}"

found = []


def say(text):
    if text not in found:
        found.append(text)


def check(holds, text):
    if not holds:
        say(text)
    return holds


def is_web(text):
    return bool(text and re.fullmatch(r"https?://[^\s<>\"{}|\\^`]+", text))


def is_iri(text):
    return bool(text and re.fullmatch(r"[a-z][a-z0-9+.-]*:[^\s<>\"]+", text, re.I))


def has_text(element):
    return element is not None and bool((element.text or "").strip())


# RFC 822 as RSS has it: the weekday must be the date's, the zone GMT or +0000.
def rfc822(text):
    pattern = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d (GMT|\+0000)"
    if not re.fullmatch(pattern, text or ""):
        return False
    date = email.utils.parsedate_to_datetime(text)
    return date.strftime("%a") == text[:3]


def rfc3339(text):
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text or ""):
        return False
    try:
        datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def language(text):
    return bool(re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", text or ""))


media_elements = {
    "content": {"url", "fileSize", "type", "medium", "isDefault", "expression", "bitrate", "framerate", "samplingrate",
                "channels", "duration", "height", "width", "lang"},
    "player": {"url", "width", "height"},
    "thumbnail": {"url", "width", "height", "time"},
    "title": {"type"}, "description": {"type"}, "keywords": set(), "category": {"scheme", "label"},
}


def media(item):
    for element in item.iter():
        if not element.tag.startswith(MEDIA):
            continue
        name = element.tag[len(MEDIA):]
        if name == "group":
            check(len(element.findall(MEDIA + "content")) > 1, "a media:group with one content")
            continue
        if not check(name in media_elements, f"media:{name} is unknown to validators"):
            continue
        for attribute in element.attrib:
            check(attribute in media_elements[name], f"media:{name} has an attribute {attribute}")
        if name in ("player", "thumbnail"):
            check(is_web(element.get("url")), f"media:{name} without an address")
        if name == "content":
            check(element.get("url") or element.find(MEDIA + "player") is not None,
                  "media:content has neither url nor player")
            check(element.get("medium") in ("image", "audio", "video", "document", "executable"), "media:content's medium")
        for attribute in ("width", "height", "duration", "fileSize"):
            check(re.fullmatch(r"\d+", element.get(attribute, "0")), f"media:{name} {attribute} is no number")


def unique(names, what):
    check(len(names) == len(set(names)), f"two entries have the same {what}")


def rss(root, podcast=False):
    check(root.tag == "rss" and root.get("version") == "2.0", "it is no RSS 2.0")
    check(len(root) == 1 and root[0].tag == "channel", "rss holds one channel")
    channel = root[0]
    for name in ("title", "link", "description"):
        check(has_text(channel.find(name)), f"the channel has no {name}")
    check(is_web(channel.findtext("link")), "the channel's link is no address")
    tags = [child.tag for child in channel]
    for name in ("title", "link", "description", "language", "pubDate", "lastBuildDate", "managingEditor", "image"):
        check(tags.count(name) < 2, f"the channel has two of {name}")
    itself = [link for link in channel.findall(ATOM + "link") if link.get("rel") == "self"]
    check(len(itself) == 1, "no atom:link rel=self")
    for link in itself:
        check(is_web(link.get("href")) and link.get("type") == "application/rss+xml", "atom:link rel=self is broken")
    check(channel.find("language") is not None, "no language")
    if channel.find("language") is not None:
        check(language(channel.findtext("language")), "language is no tag of a language")
    check(channel.find("image") is None or podcast, "the channel has an image")
    contacts = [e for name in ("managingEditor", "webMaster", "author") for e in channel.iter(name)]
    for contact in contacts:
        check(re.fullmatch(r"[^\s@]+@[^\s@]+( \(.*\))?", contact.text or ""), "a contact without an address")
    guids = []
    for item in channel.findall("item"):
        check(has_text(item.find("title")) or has_text(item.find("description")), "an item has neither title nor description")
        for name in ("title", "link", "description", "guid", "pubDate", "author", "enclosure", DC + "creator"):
            check(len(item.findall(name)) < 2, f"an item has two of {name}")
        for pair in (("pubDate", DC + "date"), ("category", DC + "subject"), ("author", DC + "creator")):
            check(any(item.find(name) is None for name in pair), f"an item says the same twice: {pair}")
        if item.find("link") is not None:
            check(is_web(item.findtext("link")), "an item's link is no address")
        if item.find("pubDate") is not None:
            check(rfc822(item.findtext("pubDate")), "a pubDate is no date: " + str(item.findtext("pubDate")))
        guid = item.find("guid")
        if check(guid is not None and has_text(guid), "an item has no guid"):
            guids.append(guid.text)
            if guid.get("isPermaLink", "true") == "true":
                check(is_web(guid.text), "a guid is no address, and not said to be none")
            else:
                check(not re.fullmatch(r"\d{1,8}", guid.text), "a guid of few digits")
        for enclosure in item.findall("enclosure"):
            check(is_web(enclosure.get("url")), "an enclosure without an address")
            check(re.fullmatch(r"\d+", enclosure.get("length", "")), "an enclosure without a length")
            check(re.fullmatch(r"[\w.+-]+/[\w.+-]+", enclosure.get("type", "")), "an enclosure without a type")
        media(item)
        if podcast:
            episode(item)
    unique(guids, "guid")
    if podcast:
        show(channel)


def show(channel):
    check(channel.findtext(ITUNES + "explicit") in ("true", "false"), "itunes:explicit is missing")
    category = channel.find(ITUNES + "category")
    check(category is not None and category.get("text"), "itunes:category is missing")
    check("@" in (channel.findtext(ITUNES + "owner/" + ITUNES + "email") or ""), "itunes:owner is missing")
    image = channel.find(ITUNES + "image")
    check(image is not None and is_web(image.get("href")), "itunes:image is missing")
    check(len(channel.findtext(ITUNES + "author") or "") <= 255, "itunes:author is too long")
    guid = channel.findtext(PODCAST + "guid")
    check(guid is None or re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", guid),
          "podcast:guid is no UUID of a name")
    check(channel.findtext(PODCAST + "medium") in ("podcast", "video", "music", "film", "audiobook", "newsletter", "blog",
                                                    "publisher", "course", "mixed"), "podcast:medium")


def episode(item):
    check(item.find("enclosure") is not None, "an episode without an enclosure")
    duration = item.findtext(ITUNES + "duration")
    check(duration is None or re.fullmatch(r"\d+|(\d+:)?\d?\d:\d\d", duration), "itunes:duration")


def atom(root):
    if not check(root.tag == ATOM + "feed", "it is no Atom"):
        return
    for name in ("id", "title", "updated"):
        check(len(root.findall(ATOM + name)) == 1, f"the feed has not one {name}")
    for name in ("id", "title"):
        check(has_text(root.find(ATOM + name)), f"the feed's {name} is empty")
    check(is_iri(root.findtext(ATOM + "id")), "the feed's id is no IRI")
    check(root.find(ATOM + "published") is None, "the feed has a published")
    check(rfc3339(root.findtext(ATOM + "updated")), "the feed's updated is no date")
    check(root.get(XML + "lang") is not None, "no language")
    if root.get(XML + "lang") is not None:
        check(language(root.get(XML + "lang")), "xml:lang is no tag of a language")
    tags = [child.tag for child in root]
    if ATOM + "entry" in tags:
        check(all(tag == ATOM + "entry" for tag in tags[tags.index(ATOM + "entry"):]), "something stands after an entry")
    check(any(link.get("rel") == "self" for link in root.findall(ATOM + "link")), "no atom:link rel=self")
    feed_author = has_text(root.find(f"{ATOM}author/{ATOM}name"))
    ids = []
    for entry in root.findall(ATOM + "entry"):
        for name in ("id", "title", "updated"):
            check(len(entry.findall(ATOM + name)) == 1, f"an entry has not one {name}")
        identity = entry.findtext(ATOM + "id") or ""
        ids.append(identity)
        check(is_iri(identity), "an entry's id is no IRI")
        check(identity.split(":")[0] in ("tag", "urn", "http", "https"), "the scheme of an entry's id is not registered")
        for name in ("updated", "published"):
            for date in entry.findall(ATOM + name):
                check(rfc3339(date.text), f"an entry's {name} is no date: {date.text}")
        check(feed_author or has_text(entry.find(f"{ATOM}author/{ATOM}name")), "nobody is the author of an entry")
        for author in entry.findall(ATOM + "author"):
            check(has_text(author.find(ATOM + "name")), "an author without a name")
            uri = author.find(ATOM + "uri")
            check(uri is None or is_iri(uri.text), "an author's uri is none")
        content, summary = entry.find(ATOM + "content"), entry.find(ATOM + "summary")
        alternates = [link for link in entry.findall(ATOM + "link") if link.get("rel", "alternate") == "alternate"]
        check(content is not None or alternates, "an entry has neither content nor an alternate link")
        check(content is not None or summary is not None, "an entry has no text")
        check(len({(link.get("type"), link.get("hreflang")) for link in alternates}) == len(alternates),
              "an entry has two alternates of a kind")
        for element in (content, summary, entry.find(ATOM + "title")):
            check(element is None or element.get("type", "text") in ("text", "html"), "the type of a text")
        for link in entry.findall(ATOM + "link"):
            check(is_web(link.get("href")), "a link without an address")
            check(link.get("rel", "alternate") in ("alternate", "enclosure", "related", "self", "via"), "an unknown rel")
            check(re.fullmatch(r"\d+", link.get("length", "0")), "a link's length is no number")
        for category in entry.findall(ATOM + "category"):
            check(category.get("term") is not None, "a category without a term")
        media(entry)
    unique(ids, "id")


def jsonfeed(text):
    feed = json.loads(text)
    check(feed.get("version") == "https://jsonfeed.org/version/1.1", "it is no JSON Feed 1.1")
    check(isinstance(feed.get("title"), str) and feed["title"], "the feed has no title")
    if not check(isinstance(feed.get("items"), list), "the feed has no items"):
        return
    check("feed_url" in feed, "no atom:link rel=self")
    check("language" in feed, "no language")
    for name in ("home_page_url", "feed_url", "icon", "favicon", "next_url"):
        check(name not in feed or is_web(feed[name]), f"{name} is no address")
    check("author" not in feed, "author is deprecated")
    known = {"id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image",
             "date_published", "date_modified", "authors", "tags", "language", "attachments"}
    for item in feed["items"]:
        check(isinstance(item.get("id"), str) and item["id"], "an item has no id")
        check(isinstance(item.get("content_text", item.get("content_html")), str), "an item has no content")
        for name in ("url", "external_url", "image", "banner_image"):
            check(name not in item or is_web(item[name]), f"an item's {name} is no address")
        for name in ("date_published", "date_modified"):
            check(name not in item or rfc3339(item[name]), f"an item's {name} is no date")
        for name in ("title", "summary", "language"):
            check(name not in item or isinstance(item[name], str), f"an item's {name} is no text")
        for author in item.get("authors", []):
            check(author.get("name") or author.get("url") or author.get("avatar"), "an author is empty")
        check(all(isinstance(tag, str) for tag in item.get("tags", [])), "a tag is no text")
        for attachment in item.get("attachments", []):
            check(is_web(attachment.get("url")) and "/" in attachment.get("mime_type", ""), "an attachment")
            for name in ("size_in_bytes", "duration_in_seconds"):
                check(isinstance(attachment.get(name, 0), int), f"an attachment's {name} is no number")
        for name in item:
            check(name in known or re.fullmatch(r"_[A-Za-z][^.]*", name), f"an item has a member {name}")
    unique([item.get("id") for item in feed["items"]], "id")


def opml(root):
    check(root.tag == "opml" and root.get("version") == "2.0", "it is no OPML 2.0")
    check([child.tag for child in root] == ["head", "body"], "opml holds head and body")
    check(has_text(root.find("head/title")), "the list has no title")
    feeds = []
    check(root.find("body/outline") is not None, "the list has no outline")
    for outline in root.iter("outline"):
        check(outline.get("text"), "an outline without a text")
        if outline.get("type") == "rss":
            check(is_web(outline.get("xmlUrl")), "a subscription without an address")
            check("htmlUrl" not in outline.attrib or is_web(outline.get("htmlUrl")), "htmlUrl is no address")
            feeds.append(outline.get("xmlUrl"))
    unique(feeds, "xmlUrl")


kind = sys.argv[1]
text = sys.stdin.buffer.read()
try:
    if kind == "jsonfeed":
        jsonfeed(text.decode("utf-8"))
    else:
        root = E.fromstring(text)
        {"rss": rss, "podcast": lambda root: rss(root, podcast=True), "atom": atom, "opml": opml}[kind](root)
except (E.ParseError, ValueError) as error:
    say(f"it cannot be read: {error}")
print(json.dumps(found))
