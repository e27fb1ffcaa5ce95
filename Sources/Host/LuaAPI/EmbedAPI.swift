// `yt.embed`: the player of a video as markup.

import Basics
import LuaRuntime
import Players
import VideoModel

enum EmbedAPI {
    private static let moment = APIType.either([.integer(0...8_640_000), .text])

    static let options: [APIParameter] = [
        APIParameter(
            "title", .text, "the frame's name for screen readers; the video's title when absent", optional: true),
        APIParameter("width", .integer(Embed.sizes), "pixels; follows from height when absent", optional: true),
        APIParameter("height", .integer(Embed.sizes), "pixels; follows from width when absent", optional: true),
        APIParameter(
            "responsive", .flag, "false: of that size always; else as wide as there is room, up to width",
            optional: true),
        APIParameter(
            "loading", .choice(["lazy", "eager"]), "when the frame is loaded; lazy when absent", optional: true),
        APIParameter(
            "privacy", .flag, "false: the host that remembers viewers; else youtube-nocookie, and dnt of Vimeo",
            optional: true),
        APIParameter(
            "facade", .flag, "true: a picture that becomes the player when it is clicked, and a link where it cannot",
            optional: true),
        APIParameter("picture", .text, "of a facade: an address of https, or of the scheme data", optional: true),
        APIParameter("live", .flag, "true: a channel's broadcast instead of its uploads", optional: true),
        APIParameter("start", moment, "where to begin: seconds, or 1m30s; the address may have it", optional: true),
        APIParameter("finish", moment, "where to stop, from the start of the video", optional: true),
        APIParameter("autoplay", .flag, "begins by itself, muted", optional: true),
        APIParameter("mute", .flag, "without sound at first", optional: true),
        APIParameter("loop", .flag, "again from the start", optional: true),
        APIParameter("controls", .flag, "false: without controls", optional: true),
        APIParameter(
            "player", .table,
            "what the service's own player takes beside that, by its names: {rel = false}, or {youtube = {rel = false}} in a mixed list",
            optional: true),
        APIParameter(
            "parameters", .text, "the same as people write it in one line: youtube.rel=0,start=1m30s", optional: true),
    ]
    private static let common = ["start", "finish", "autoplay", "mute", "loop", "controls"]

    static let functions: [APIFunction] = [
        APIFunction(
            "embed",
            "Makes the markup of a player. What does not play elsewhere becomes a link that says why.",
            [
                APIParameter("video", .either([.object(.video), .text]), "a record, an address or an id"),
                APIParameter("options", .options(options), optional: true),
            ],
            gives: [
                APIResult(
                    .text,
                    "HTML; nil and a reason when the text names no video, channel or list, or has times that cannot be"),
                APIResult(
                    .table,
                    "kind (frame, facade or link), title, width, height; where there is one url, the player's address, or reason, and link, the page to watch"
                ),
            ], example: #"out:line(yt.embed(v, {facade = true, player = {rel = false}}))"#
        ) { call throws(LuaError) in
            let options = try call.embedOptions(1)
            let embed: Embed
            do throws(EmbedProblem) {
                if let video = call.context.video(at: call.index(0), of: call.stack) {
                    embed = try Embed(video, options)
                } else {
                    switch Result(catching: { () throws(MediaRef.Refusal) in try MediaRef.parse(call.text(0) ?? "") }) {
                    case .success(let ref): embed = try Embed(ref, options)
                    case .failure(let refusal): return call.unreadable("\(refusal)")
                    }
                }
            } catch {
                if case .address = error { return call.unreadable(error.description) }
                throw LuaError("yt.embed: " + error.advice)
            }
            call.stack.push(embed.html)
            try call.stack.push(embed.facts)
            return 2
        },
        APIFunction(
            "player",
            "Makes a page that plays videos where it is served over http, and leads to them as a file.",
            [
                APIParameter(
                    "videos", .list(.object(.video)), "1 to 500 records; those without an address are left out"),
                APIParameter(
                    "options",
                    .options([APIParameter("title", .text, "the page's title; Play when absent", optional: true)]),
                    optional: true),
            ], gives: [APIResult(.text, "a whole page of HTML; nil and a reason when there is nothing to play in it")],
            example: #"out:write(yt.player(videos:take(10):list(), {title = "Tonight"}))"#
        ) { call throws(LuaError) in
            let list = call.index(0)
            var videos: [Video] = []
            for place in 0..<Int64(min(call.stack.rawLength(at: list), 501)) {
                call.stack.pushElement(place + 1, of: list)
                defer { call.stack.pop() }
                guard let video = call.context.video(at: -1, of: call.stack) else { continue }
                if video.url.flatMap(Escape.webAddress) != nil { videos.append(video) }
            }
            guard !videos.isEmpty else {
                return call.unreadable("none of the videos has an address of a page to watch")
            }
            guard videos.count <= 500 else { return call.unreadable("a page plays 500 videos at most") }
            return call.gives(PlayerPage.html(of: videos, title: call.option("title", of: 1).text ?? ""))
        },
    ]

    fileprivate static func parameters(_ call: APICall, _ position: Int32) throws(LuaError) -> [FieldValue.Member] {
        guard case .record(let all) = try call.stack.fieldValue(at: call.index(position), in: call.context) else {
            return []
        }
        var own: [FieldValue.Member] = []
        switch all.first(where: { $0.name == "player" })?.value {
        case .record(let members): own = members
        case nil, FieldValue?.some(.none), .list([]): break
        default: throw LuaError("yt.embed: player takes parameters by name: player = {rel = false}")
        }
        if let text = all.first(where: { $0.name == "parameters" })?.value.text {
            do throws(EmbedProblem) { own += try Embed.parameters(in: text) } catch {
                throw LuaError("yt.embed: \(error.description)")
            }
        }
        // `player = {youtube = {rel = false}}` applies to that player only.
        let flat = own.flatMap { member in
            member.value.members.map { $0.map { FieldValue.Member("\(member.name).\($0.name)", $0.value) } } ?? [member]
        }
        return all.filter { common.contains($0.name) } + flat
    }
}

extension APICall {
    /// The embed options at a position.
    func embedOptions(_ position: Int32) throws(LuaError) -> Embed.Options {
        var options = Embed.Options()
        guard stack.kind(at: index(position)) == .table else { return options }
        func isFalse(_ name: String) -> Bool {
            if case .boolean(false) = option(name, of: position) { true } else { false }
        }
        options.title = option("title", of: position).text
        options.width = option("width", of: position).integer
        options.height = option("height", of: position).integer
        options.isResponsive = !isFalse("responsive")
        options.isLazy = option("loading", of: position).text != "eager"
        options.isPrivate = !isFalse("privacy")
        options.isFacade = option("facade", of: position).isTrue
        options.isLive = option("live", of: position).isTrue
        options.picture = option("picture", of: position).text
        options.parameters = try EmbedAPI.parameters(self, position)
        return options
    }
}

extension Embed {
    /// The facts as plugins see them.
    fileprivate var facts: FieldValue {
        .record([
            .init("kind", .text(kind.rawValue)), .init("title", .text(title)), .init("width", .integer(width)),
            .init("height", .integer(height)), .init("url", FieldValue(address)), .init("link", FieldValue(link)),
            .init("reason", FieldValue(reason)),
        ])
    }
}
