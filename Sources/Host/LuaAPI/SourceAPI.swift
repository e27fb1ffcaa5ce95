// Sources of records: searches, bytes, addresses, and records made from tables.

import Basics
import HostErrors
import LuaRuntime
import RecordStreams
import VideoFormats
import VideoModel
import VideoServices

enum SourceAPI {
    /// The first page of a listing.
    static let page = APIParameter(
        "page", .text, "the page to begin with: `info.next` or `info.previous` of earlier results", optional: true)

    /// The options of a search, from the list that all services share.
    static let searchOptions: [APIParameter] =
        [
            APIParameter("source", .text, "where to search; the configured source when absent", optional: true),
            APIParameter("max", .integer(1...1_000_000), "rows to read at most", optional: true),
            page,
        ]
        + SearchOption.allCases.map { option in
            let type: APIType =
                switch option.shape {
                case .text: .text
                case .flag: .flag
                case .time: .bound
                case .choice(let words): .choice(words)
                }
            return APIParameter(option.rawValue, type, option.summary, optional: true)
        }

    static let functions: [APIFunction] = [
        APIFunction(
            "search", "Searches for videos. Pages are fetched as they are read.",
            [
                APIParameter("query", .text, "the words to look for"),
                APIParameter("options", .options(searchOptions), "how to search", optional: true),
            ],
            gives: [
                APIResult(
                    .object(.results),
                    "what was found, in order; results.info tells source, query, rows, calls that were spent, answers that were cached, the service's estimate of all, whether more was there (truncated), why it ended, the pages after and before the one that was read last (next, previous), and where a service counts its pages the first and last one and how many rows there are (first, last, total)"
                )
            ], grant: .search,
            example: #"for v in yt.search("programming", {order = "date", max = 10}) do print(v.title, v.url) end"#
        ) { call throws(LuaError) in
            var query = SearchQuery(words: call.text(0) ?? "")
            for option in SearchOption.allCases {
                switch call.option(option.rawValue, of: 1) {
                case .nil: continue
                case .boolean(let flag): query.options[option] = .bool(flag)
                case .integer(let whole) where option.shape == .time: query.options[option] = .integer(whole)
                case .number(let number) where option.shape == .time:
                    query.options[option] = FieldValue(Int64(exactly: number))
                case let value:
                    let text = value.text ?? value.integer.map(String.init) ?? ""
                    query.options[option] = option.shape == .time ? call.context.bound(text) : .text(text)
                }
            }
            let context = call.context
            do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
            let limit = call.option("max", of: 1).integer.map(Int.init) ?? context.environment.defaultLimit
            let stream = SearchStream(
                query, source: call.option("source", of: 1).text ?? context.environment.source, limit: limit,
                page: call.option("page", of: 1).text, gate: context.environment.gate, plugin: context.path)
            try context.pushResults(stream, on: call.stack)
            return 1
        },
        APIFunction(
            "parse", "Reads records from the bytes of any known format, which is found out from the bytes.",
            [
                APIParameter("bytes", .text, "a document, or JSON Lines"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "as", .choice(RecordReader.formatNames), "the format, when it must not be guessed",
                            optional: true),
                        APIParameter(
                            "base", .text, "the address of the document, for relative addresses in it", optional: true),
                        APIParameter(
                            "strict", .flag, "whether a bad record is an error instead of being skipped", optional: true
                        ),
                    ]), optional: true),
            ],
            gives: [
                APIResult(.object(.results), "the records; nil and a reason when the bytes cannot be read"),
                APIResult(.text, "the kind that was recognised"),
            ],
            example: #"local results, kind = yt.parse(bytes)"#
        ) { call throws(LuaError) in
            let bytes = call.stack.bytes(at: call.index(0)) ?? []
            let reading = Result { () throws(FormatError) in
                let reader = try RecordReader(
                    as: call.option("as", of: 1).text, strict: call.option("strict", of: 1).isTrue)
                reader.base = call.option("base", of: 1).text
                return (try reader.all(of: bytes), reader)
            }
            switch reading {
            case .failure(let error): return call.unreadable("\(error)")
            case .success(let (videos, reader)):
                let skipped = FieldValue.Member("skipped", .integer(Int64(reader.skippedCount)))
                let marked = call.context.environment.lookUps.marked(videos)
                try call.context.pushResults(ListStream(marked, info: [skipped]), on: call.stack)
                try call.stack.push(FieldValue(reader.kind))
                return 2
            }
        },
        APIFunction(
            "parse_url", "Says what a video service's address names.",
            [APIParameter("url", .text, "an address in any of the forms people have, or a bare id")],
            gives: [
                APIResult(
                    .table,
                    "provider, kind, id, url; where the address tells start, finish, list, hash, short (true), host; where the service has them short_url, embed_url, thumbnail_url; nil and a reason otherwise"
                )
            ],
            example: #"local ref = yt.parse_url("https://youtu.be/dQw4w9WgXcQ?t=1m")"#
        ) { call throws(LuaError) in
            switch Result(catching: { () throws(MediaRef.Refusal) in try MediaRef.parse(call.text(0) ?? "") }) {
            case .failure(let error): return call.unreadable("\(error)")
            case .success(let ref):
                try call.stack.push(ref.value)
                return 1
            }
        },
        APIFunction(
            "video", "Makes a record by hand.",
            [APIParameter("fields", .table, "fields by name; `extra` takes data of your own")],
            gives: [APIResult(.object(.video))],
            example: #"yt.video{provider = "youtube", id = "dQw4w9WgXcQ", title = "A song", duration = 213}"#
        ) { call throws(LuaError) in
            call.context.push(try call.context.makeVideo(at: call.index(0), of: call.stack), on: call.stack)
            return 1
        },
    ]
}

extension MediaRef {
    /// The reference as plugins see it.
    fileprivate var value: FieldValue {
        .record([
            .init("provider", .text(provider)), .init("kind", .text(kind.rawValue)), .init("id", .text(id)),
            .init("url", FieldValue(url)), .init("start", FieldValue(start)), .init("finish", FieldValue(finish)),
            .init("list", FieldValue(list)), .init("hash", FieldValue(hash)), .init("short", FieldValue(short)),
            .init("host", FieldValue(host)), .init("short_url", FieldValue(shortURL)),
            .init("embed_url", FieldValue(embedURL)), .init("thumbnail_url", FieldValue(thumbnailURL)),
        ])
    }
}

extension PluginContext {
    /// A record from a table of fields.
    package func makeVideo(at index: Int32, of stack: LuaStack) throws(LuaError) -> Video {
        let members: [FieldValue.Member]
        switch try stack.fieldValue(at: index, in: self) {
        case .record(let named): members = named
        case .list([]): members = []
        default: throw LuaError("a record is made of named fields: yt.video{id = …, title = …}")
        }
        var fields: [VideoField: FieldValue] = [:]
        var extra: [FieldValue.Member] = []
        for member in members {
            if member.name == "extra" {
                extra = member.value.members ?? []
            } else if let field = VideoField(name: member.name) {
                fields[field] = try FieldShape.check(member.value, for: field)
            } else {
                throw LuaError(
                    "a video has no field '\(member.name)'; "
                        + (Nearest.name(to: member.name, among: VideoType.fieldNames).map { "did you mean '\($0)'?" }
                            ?? "own data goes into extra = {…}"))
            }
        }
        return Video(fields, extra: extra)
    }
}
