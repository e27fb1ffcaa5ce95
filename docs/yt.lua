---@meta
-- The yt API of ythost, version 1, for editors. Made from the declarations in Sources/Host/LuaAPI.

---@class Video
---@field provider string? the service that has the video: youtube, vimeo, peertube, feed …
---@field id string? the service's id
---@field kind "video"|"channel"|"playlist"|"page"|nil what the record is; a page is anything else on the web
---@field url string? the page to watch it on
---@field title string? plain text, never HTML
---@field description string? plain text, cut short in search replies
---@field channel Channel who published it: id, title, url; never nil, its fields may be
---@field published integer? epoch seconds
---@field duration integer? seconds; nil while live or upcoming
---@field views integer? how often it was watched
---@field likes integer? nil where hidden
---@field comments integer? nil where comments are off
---@field live boolean? true while it is on air, false when it is not, nil when unknown
---@field live_state "none"|"live"|"upcoming"|"was_live"|nil where a broadcast stands
---@field starts integer? epoch seconds a broadcast starts or started at
---@field short boolean? whether it is a Short; nil when nothing tells
---@field short_evidence string? what told: url, thumbnail …
---@field tags string[]? the publisher's key words
---@field category string? the service's category
---@field language string? BCP 47 tag of the spoken or default language
---@field license "youtube"|"creativecommon"|"other"|nil terms of use
---@field definition "high"|"standard"|nil picture quality
---@field captions boolean? whether captions exist
---@field embeddable boolean? whether other pages may play it
---@field availability "public"|"unlisted"|"private"|"deleted"|"removed"|"adults"|nil who can watch it; removed: the service took it down, or its upload failed; adults: after a login
---@field regions {allowed?: string[], blocked?: string[]}? where it plays: allowed or blocked country codes; nil when everywhere or unknown
---@field thumbnails table<string, {url: string, width?: integer, height?: integer}>? pictures by name: url, width and height in pixels
---@field found_in {source: string?, query: string?}[]? the searches that found it: source and query
---@field score number? what the last score plugin gave
---@field raw table? the record as its service wrote it
---@field extra table plain data of your own
local Video = {}

---@class Channel
---@field id string?
---@field title string?
---@field url string?

---@class Results
---@field info table how the results came about
---@overload fun(): any
local Results = {}

---@class Out
---@field columns integer? columns lines may have; nil for any
---@field color boolean whether colours are wanted
---@field links boolean whether out:link makes links; it writes text alone where not
---@field terminal boolean whether a person is looking
local Out = {}

---@class Mapper
---@overload fun(json: string, options?: table): Results
local Mapper = {}

---@class Template
---@overload fun(values?: table|Video, more?: table): string
local Template = {}

---@class Element
---@field name string # without its prefix
---@field prefix string|nil
---@field namespace string|nil
---@field attributes table<string, string>
---@field line integer
---@field column integer
---@field parent Element|nil
local Element = {}

---@class Thumbnail
---@field name string
---@field url string
---@field width integer|nil
---@field height integer|nil
---@field kind string|nil # once it was fetched
local Thumbnail = {}

yt = { api = 1 }
yt.csv = {}
yt.duration = {}
yt.file = {}
yt.html = {}
yt.http = {}
yt.json = {}
yt.markdown = {}
yt.text = {}
yt.time = {}
yt.url = {}
yt.xml = {}

yt.json.null = nil ---@type any stands for JSON's null

--- Searches for videos. Pages are fetched as they are read.
---@param query string the words to look for
---@param options? {source?: string, max?: integer, page?: string, order?: "relevance"|"date"|"views"|"rating"|"title"|"videos", type?: "video"|"channel"|"playlist"|"all", after?: integer|string, before?: integer|string, duration?: "short"|"medium"|"long", channel?: string, region?: string, language?: string, safe?: "none"|"moderate"|"strict", event?: "live"|"upcoming"|"completed", captions?: "yes"|"no", definition?: "high"|"standard", license?: "youtube"|"creativecommon", embeddable?: boolean, syndicated?: boolean, sponsored?: boolean, dimension?: "2d"|"3d", form?: "movie"|"episode", shows?: boolean, category?: string, topic?: string, location?: string, radius?: string, literal?: boolean} how to search
---@return Results # what was found, in order; results.info tells source, query, rows, calls that were spent, answers that were cached, the service's estimate of all, whether more was there (truncated), why it ended, the pages after and before the one that was read last (next, previous), and where a service counts its pages the first and last one and how many rows there are (first, last, total)
function yt.search(query, options) end

--- Reads records from the bytes of any known format, which is found out from the bytes.
---@param bytes string a document, or JSON Lines
---@param options? {as?: "ythost"|"youtube"|"vimeo"|"peertube"|"yt-dlp"|"takeout"|"jsonfeed"|"oembed"|"duckduckgo"|"chat"|"feed"|"opml"|"html", base?: string, strict?: boolean}
---@return Results # the records; nil and a reason when the bytes cannot be read
---@return string # the kind that was recognised
function yt.parse(bytes, options) end

--- Says what a video service's address names.
---@param url string an address in any of the forms people have, or a bare id
---@return table # provider, kind, id, url; where the address tells start, finish, list, hash, short (true), host; where the service has them short_url, embed_url, thumbnail_url; nil and a reason otherwise
function yt.parse_url(url) end

--- Makes a record by hand.
---@param fields table fields by name; `extra` takes data of your own
---@return Video
function yt.video(fields) end

--- Looks videos up by id or address, 50 a call, in the order given.
---@param ids string|string[] ids or addresses
---@param options? {source?: string, fields?: string[]}
---@return Results # the videos that are there; results.info.missing lists the ids of the others
function yt.videos(ids, options) end

--- Looks a channel up. Without a key, only an id or an address with one can be.
---@param reference string its id, @handle, user name, or the address of its page
---@param options? {source?: string}
---@return Video # a record of kind channel; nil and a reason when there is none. Its `extra` may tell subscribers, videos and handle
function yt.channel(reference, options) end

--- Looks a playlist up.
---@param reference string its id, or an address that has it
---@param options? {source?: string}
---@return Video # a record of kind playlist; nil and a reason when there is none. Its `extra` may tell how many videos it has
function yt.playlist(reference, options) end

--- Reads what a channel published, newest first.
---@param options? {max?: integer, page?: string}
---@return Results # videos
function Video:uploads(options) end

--- Reads what is in a playlist, in its order.
---@param options? {max?: integer, page?: string, newest?: integer, skip_unavailable?: boolean}
---@return Results # videos
function Video:items(options) end

--- Reads a feed: Atom, RSS or JSON Feed. When it cannot be had, its last good copy is.
---@param url string of http or https
---@param options? {max?: integer, timeout?: integer, cache?: "network-only"|"local-only"|"network-then-local"|"local-then-network", store?: boolean}
---@return Results # its entries, in its order
function yt.feed(url, options) end

--- Reads what a page says about itself, and its oEmbed provider about it.
---@param url string of http or https
---@param options? {oembed?: boolean, timeout?: integer, cache?: "network-only"|"local-only"|"network-then-local"|"local-then-network", store?: boolean}
---@return Video # a record of kind page, or video where the page is one; nil and a reason when there is no page. Its `extra` may tell site, type, player, media, oembed, feed
function yt.preview(url, options) end

--- Says what a chat client should do with a sentence: `play …` plays a video.
---@param text string such as: play kygo firestone, or a video's address
---@param options? {source?: string}
---@return table # type and what belongs to it, as in chat replies: video_play with identifier and identifier_type (youtube or url), title, url, and start and finish in seconds where an address says them; websearch with query for any other sentence; answer with expression where nothing is found
---@return Video # the video to play; nil for other actions
function yt.action(text, options) end

--- Asks DuckDuckGo for an instant answer. It is no search of the web: most questions have none.
---@param query string a word, a name, a sum, or a `!bang`
---@param options? {max?: integer}
---@return Results # records of kind page: the article (its channel is whom DuckDuckGo has it from), official pages, and what else may be meant; empty when nothing is known
function yt.websearch(query, options) end

--- Keeps the items for which the function gives a true value.
---@param keep function gets an item
---@return Results
function Results:filter(keep) end

--- Gives what the function makes of each item.
---@param change function gets an item, gives its replacement
---@return Results
function Results:map(change) end

--- Stops after so many items.
---@param n integer
---@return Results
function Results:take(n) end

--- Leaves out the first items.
---@param n integer
---@return Results
function Results:skip(n) end

--- Keeps the first item of each key; items without one are all kept.
---@param key? string|function a field's name or a function; provider and id when absent
---@return Results
function Results:unique(key) end

--- Sorts all items; equal ones keep their order.
---@param before function gets two items, says whether the first comes before the second
---@return Results
function Results:sort(before) end

--- Sorts all items by a field; unknown ones come last, equal ones keep their order.
---@param field string|function a field's name or a function
---@param direction? "asc"|"desc" asc when absent
---@return Results
function Results:sort_by(field, direction) end

--- Looks up what is unknown of videos, 50 at a time.
---@param fields string[] the fields that are wanted; what no service tells stays unknown
---@return Results
function Results:enrich(fields) end

--- Gathers all items by a key, in the order the keys appear.
---@param key string|function a field's name or a function
---@return Results # items {key = …, videos = list}; key is nil where it is unknown
function Results:group(key) end

--- Goes on with other results, or a list, after its own.
---@param other Results|table
---@return Results
function Results:concat(other) end

--- Reads everything into a table with the same methods.
---@return table # positions from 1; # and ipairs work
function Results:list() end

--- Reads the first item.
---@return any # nil when there is none
function Results:first() end

--- Reads the next item if nobody outside need be asked for it. What was changed or filtered has none.
---@return any # nil when it has to be waited for, and at the end
function Results:at_hand() end

--- Reads everything and counts it.
---@return integer
function Results:count() end

--- Goes through a table in the order of its keys: numbers, then strings.
---@param table table
---@return function # an iterator of key and value
function yt.pairs(table) end

--- Calls functions at the same time: while one waits for a search or an answer, others go on.
---@param functions function[]
---@param options? {at_once?: integer}
---@return table[] # one for each, in order: {ok = true, value = …} or, when it failed, {ok = false, error = …}; results that a function gives are read into a list
function yt.all(functions, options) end

--- Calls a function for each item of a list or of results, several at the same time.
---@param items Results|table
---@param call function gets an item and its position
---@param options? {at_once?: integer}
---@return table[] # one for each, in order: {ok = true, value = …} or, when it failed, {ok = false, error = …}; results that a function gives are read into a list
function yt.map(items, call, options) end

--- Joins results: one row a video, with what any of them knows of it and where each found it.
---@param sources Results|table[] results or lists, read at the same time when the first row is asked for
---@return Results # in the order in which the sources name them first; info has the sums, and what each source says as sources
function yt.merge(sources) end

--- Reads a field, or gives the default where it is unknown.
---@param field string a field's name
---@param default? any what unknown becomes
---@return any
function Video:get(field, default) end

--- Says whether it plays in a country.
---@param country string ISO 3166-1 alpha-2, such as DE
---@return boolean # nil when nothing is known
function Video:playable_in(country) end

--- All known fields as a plain table.
---@return table
function Video:table() end

--- Compiles a mapping from JSON to records: field = path, or a table that says more.
---@param fields table name = "dotted.path", or name = {"path", "other.path", as = …, default = …, unknown = …, required = true, list = true, each = …, fields = …, value = …}, or name = {inner = "path"} for a record inside; as is auto, text, duration, time, integer, number, boolean, html, url, or a table {word = value}
---@param options? {rows?: string}
---@return Mapper # call it with JSON
function yt.mapper(fields, options) end

--- Reads JSON, a document or JSON Lines. Calling the mapper itself does the same.
---@param json string
---@param options? {into?: "video"|"table", strict?: boolean}
---@return Results # names that are no fields of a record are in its `extra`; nil and a reason when it is not JSON
function Mapper:read(json, options) end

--- Writes strings and numbers as they are.
---@param ... string strings and numbers
---@return Out # the same output, to write on
function Out:write(...) end

--- Writes strings and numbers, and ends the line.
---@param ... string strings and numbers
---@return Out # the same output, to write on
function Out:line(...) end

--- Writes text escaped for XML, as yt.xml.escape does.
---@param ... string strings and numbers
---@return Out # the same output, to write on
function Out:xml(...) end

--- Writes text escaped for HTML.
---@param ... string strings and numbers
---@return Out # the same output, to write on
function Out:html(...) end

--- Writes one line of text; a terminal that can makes it a link. It is text alone anywhere else.
---@param text string what is shown
---@param url? string where it leads, when it is http or https
---@return Out # the same output, to write on
function Out:link(text, url) end

--- Writes a template filled with values.
---@param template Template
---@param values? table|Video where names are looked up
---@param more? table where names are looked up that the values do not have
---@return Out # the same output, to write on
function Out:fill(template, values, more) end

--- Makes the markup of a player. What does not play elsewhere becomes a link that says why.
---@param video Video|string a record, an address or an id
---@param options? {title?: string, width?: integer, height?: integer, responsive?: boolean, loading?: "lazy"|"eager", privacy?: boolean, facade?: boolean, picture?: string, live?: boolean, start?: integer|string, finish?: integer|string, autoplay?: boolean, mute?: boolean, loop?: boolean, controls?: boolean, player?: table, parameters?: string}
---@return string # HTML; nil and a reason when the text names no video, channel or list, or has times that cannot be
---@return table # kind (frame, facade or link), title, width, height; where there is one url, the player's address, or reason, and link, the page to watch
function yt.embed(video, options) end

--- Makes a page that plays videos where it is served over http, and leads to them as a file.
---@param videos Video[] 1 to 500 records; those without an address are left out
---@param options? {title?: string}
---@return string # a whole page of HTML; nil and a reason when there is nothing to play in it
function yt.player(videos, options) end

--- Chooses a video's picture. Nothing is asked of anybody before its bytes are wanted.
---@param video Video|string a record, an address or an id
---@param options? {width?: integer, height?: integer, format?: "jpeg"|"png"|"gif"|"webp"|"avif", aspect?: string, timeout?: integer}
---@return Thumbnail # name, url, and where they are known width and height, of the size that is tried first; once it was fetched those of what came, and kind. nil and a reason when no picture is known
function yt.thumbnail(video, options) end

--- Fetches the picture: of the size that was chosen, or the next that is there.
---@return string # nil and a reason when no size can be had
---@return string # jpeg, png, gif, webp or avif, as its bytes say
function Thumbnail:bytes() end

--- Fetches the picture as an address of the scheme data, to carry it in a page.
---@return string # nil and a reason when no size can be had
function Thumbnail:data_uri() end

--- Fetches the picture and writes it to a file, whole or not at all.
---@param path string from the folder where ythost was started
---@return boolean # true; nil and a reason when no size can be had
function Thumbnail:save(path) end

--- Fetches the picture as lines of symbols for a terminal, of one that moves the first frame.
---@param options? {width?: integer, height?: integer, symbols?: string, colors?: "none"|"8"|"16"|"256"|"all"}
---@return string # lines without the last line's end; nil and a reason when no size can be had
function Thumbnail:ansi(options) end

--- Reads a text with places for values, which it escapes; docs/templates.md has the syntax.
---@param text string {{name}} is a value, {{#name}}…{{/name}} a part that may stand or not
---@param options? {syntax?: "html"|"xml"|"text"}
---@return Template # call it with values, or write it with out:fill
function yt.template(text, options) end

--- The template filled with values, as text. Calling the template itself does the same.
---@param values? table|Video where names are looked up
---@param more? table where names are looked up that the values do not have
---@return string
function Template:fill(values, more) end

--- Writes plain data, or a record, as JSON: exact integers, sorted keys, always valid UTF-8.
---@param value any a table with keys 1…n is an array, any other an object
---@param options? {pretty?: boolean}
---@return string
function yt.json.encode(value, options) end

--- Reads JSON; null becomes yt.json.null inside tables.
---@param text string
---@return any # nil and a reason when it is not JSON
function yt.json.decode(text) end

--- Text made safe for XML, in elements and attributes. What XML cannot hold is taken out.
---@param text string
---@return string
function yt.xml.escape(text) end

--- Text made safe for HTML: elements and quoted attributes.
---@param text string
---@return string
function yt.html.escape(text) end

--- Decodes HTML character references, once.
---@param text string
---@return string
function yt.html.unescape(text) end

--- A UUID made of a name (RFC 9562, version 5): the same name always gives the same one.
---@param name string an address, or in another namespace whatever names the thing
---@param namespace? string the UUID of the names' namespace; that of addresses when absent
---@return string # nil and a reason when the namespace is no UUID
function yt.uuid(name, namespace) end

--- One CSV record as RFC 4180 has it, without a line end.
---@param fields table positions from 1 to `columns`; nil is an empty field
---@param options? {columns?: integer, safe?: boolean, separator?: ","|";"|"tab"}
---@return string
function yt.csv.row(fields, options) end

--- Reads CSV (RFC 4180), with quoted line ends and a byte order mark; blank lines are left out.
---@param text string
---@param options? {header?: boolean, separator?: ","|";"|"tab"}
---@return table # a list of rows: lists of text, or tables by the names of the columns, where fields beyond the names have their positions; nil and a reason when a quoted field does not end
---@return table # rows longer or shorter than the first: a list of {line, fields, expected}
function yt.csv.rows(text, options) end

--- Text made safe for Markdown: one line that shows as it is.
---@param text string
---@return string
function yt.markdown.escape(text) end

--- A link for Markdown, its text escaped.
---@param text string
---@param url? string where it leads; the text stands alone unless it is http or https
---@return string
function yt.markdown.link(text, url) end

--- Takes an address apart (RFC 3986). Without a scheme it is a relative reference.
---@param url string
---@param options? {base?: string}
---@return table # url and path; where written scheme, user, host, port, fragment and query, whose values are decoded (a list where a name repeats); nil and a reason when it is no address
function yt.url.parse(url, options) end

--- Puts an address together, encoding what must be (RFC 3986).
---@param parts {base?: string, scheme?: string, user?: string, host?: string, port?: integer, path?: string|string[], query?: table|string, fragment?: string, url?: string}
---@return string # nil and a reason when a part is bad
function yt.url.build(parts) end

--- An address that may be put into a link: http or https, made safe to show and to quote.
---@param url? string
---@return string # nil for anything else
function yt.url.link(url) end

--- Percent-encodes everything but unreserved characters (RFC 3986).
---@param text string
---@return string
function yt.url.encode(text) end

--- Decodes percent-encoding.
---@param text string
---@return string # nil and a reason when a % is not followed by two digits
function yt.url.decode(text) end

--- Reads well-formed XML. Entities that the document declares are not known.
---@param text string a document in any encoding, 64 MiB at most
---@return Element # its outermost element; nil and a reason with line and column when it cannot be read
function yt.xml.parse(text) end

--- Reads a page as browsers do: whatever is wrong in it is mended.
---@param text string a page in any encoding, 64 MiB at most
---@return Element # the element html; nil and a reason with line and column when it is too large or too deep
function yt.html.parse(text) end

--- The elements inside that a CSS selector matches, in the document's order.
---@param css string type, prefix:type or prefix|type, #id, .class, [attribute], = ^= $= *= ~= |=, :first-child, :last-child, :nth-child(n), :not(simple), joined by blanks, >, +, ~ and commas
---@return Element[]
function Element:select(css) end

--- The first element inside that a CSS selector matches.
---@param css string as for select
---@return Element # nil when there is none
function Element:first(css) end

--- The elements directly inside, in their order.
---@return Element[]
function Element:children() end

--- All text inside, as it stands.
---@return string
function Element:text() end

--- The value of an attribute.
---@param name string as it is written, with its prefix: xml:lang
---@return string # nil when there is none
function Element:attribute(name) end

--- How many columns a text takes on a terminal.
---@param text string
---@return integer
function yt.text.width(text) end

--- Cuts a text to so many columns, never inside a character; … stands for what is gone.
---@param text string
---@param columns integer columns of a terminal
---@return string
function yt.text.truncate(text, columns) end

--- Fills a text with spaces to so many columns; a longer one stays as it is.
---@param text string
---@param columns integer columns of a terminal
---@param align? "left"|"right"|"center" where the text stands; left when absent
---@return string
function yt.text.pad(text, columns, align) end

--- One line without control sequences, control characters and text direction overrides.
---@param text string
---@return string
function yt.text.clean(text) end

--- Text for comparing: case, accents and width do not matter.
---@param text string
---@return string
function yt.text.fold(text) end

--- Finds the web addresses in running text, without the punctuation and brackets around them.
---@param text string
---@return string[] # the addresses in order, `https://` added where it was left out
---@return table[] # for each, {first, last}: the bytes it stands at
function yt.text.links(text) end

--- A count in at most four columns: 950, 1.2K, 3.2M.
---@param n integer
---@return string
function yt.text.compact(n) end

--- A count with thousands set apart: 3,170,000.
---@param n integer
---@return string
function yt.text.grouped(n) end

--- Reads a date and time: RFC 3339, RFC 822, or a date alone.
---@param text string
---@return integer # epoch seconds; nil and a reason when it is no date
function yt.time.parse(text) end

--- Writes a time in UTC, in the time zone of --tz, or in one that is named.
---@param time integer epoch seconds
---@param how? string rfc822, rfc3339, date, ago, or a pattern such as %d.%m.%Y; rfc3339 when absent
---@param tz? string Europe/Berlin and the like, or UTC; --tz when absent. rfc822 is always in UTC
---@return string
function yt.time.format(time, how, tz) end

--- The time now; fixed where SOURCE_DATE_EPOCH is set.
---@return integer # epoch seconds
function yt.time.now() end

--- Reads a length: 1:05:00, PT1H5M, 65m, 1h 5m, 90.
---@param text string
---@return integer # whole seconds; nil and a reason when it is none
function yt.duration.parse(text) end

--- Writes a length as 0:05, 12:34 or 1:05:00.
---@param seconds integer
---@return string
function yt.duration.format(seconds) end

--- Declares a script's flags, as a plugin's `options` do. Call it first.
---@param options table {name = {type = …, default = …, help = …, min = …, max = …, values = {…}}}; type is string, integer, number, boolean, duration, date, enum or list; `summary` is for help
---@return table # the values by name
---@return string[] # the words on the command line that are no flags
function yt.options(options) end

--- Declares the grants a script needs, as a plugin's `needs` do.
---@param grants string[] such as search
function yt.needs(grants) end

--- Refuses what the command line asks for, with exit code 2 and without a line of the plugin.
---@param message string what does not fit, such as --columns: no field 'nope'
---@param hint? string what to do instead
function yt.usage(message, hint) end

--- Writes a line on standard error: errors and warnings always, info with --verbose, debug with -v -v.
---@param level "error"|"warning"|"info"|"debug"
---@param ... any written with spaces between
function yt.log(level, ...) end

--- Reads an address. Redirects are followed where a grant leads to them, too.
---@param url string of http or https
---@param options? {query?: table|string, headers?: table, timeout?: integer, max?: integer, cache?: "network-only"|"local-only"|"network-then-local"|"local-then-network", store?: boolean}
---@return table # status, headers (by names in lower case), body, and json: the body read as JSON, nil when it is none
function yt.http.get(url, options) end

--- Reads a service's own API with the user's access: what its documentation has and yt has not.
---@param source string the service
---@param path string below the address of the API, such as i18nRegions; a query may follow, as in addresses of pages that an answer names
---@param options? {query?: table|string, timeout?: integer, cache?: "network-only"|"local-only"|"network-then-local"|"local-then-network", store?: boolean}
---@return table # status, headers (by names in lower case), body, and json: the body read as JSON, nil when it is none
function yt.request(source, path, options) end

--- Reads a file whole, up to 64 MiB.
---@param path string from the folder where ythost was started
---@return string # its bytes
function yt.file.read(path) end

--- Reads a file line by line, without the line ends.
---@param path string from the folder where ythost was started
---@return function # an iterator
function yt.file.lines(path) end

--- Writes a file, whole or not at all.
---@param path string from the folder where ythost was started
---@param bytes string
function yt.file.write(path, bytes) end

--- Reads an environment variable. Those of ythost itself are never given.
---@param name string
---@return string # nil when it is not set
function yt.env(name) end

--- Runs a program, without a shell and with an empty environment.
---@param arguments string[] the program's name, then its arguments
---@param options? {input?: string, timeout?: integer, max?: integer}
---@return table # status, output, errors, and killed: why, when it did not end by itself
function yt.exec(arguments, options) end
