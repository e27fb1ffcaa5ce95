// `yt.thumbnail`: a video's picture, chosen by size and fetched when its bytes are needed.

import Basics
import Gate
import HostErrors
import LuaRuntime
import Pictures
import VideoFormats
import VideoModel

/// A picture inside a Lua state.
final class LuaThumbnail {
    let choices: [Thumbnail]
    let wish: Thumbnail.Wish
    /// Seconds for each request.
    let timeout: Double
    /// Set once the picture is fetched.
    var picture: ThumbnailJob.Picture?

    init(_ choices: [Thumbnail], _ wish: Thumbnail.Wish, timeout: Double) {
        (self.choices, self.wish, self.timeout) = (choices, wish, timeout)
    }

    var shown: Thumbnail { picture?.thumbnail ?? choices[0] }

    private static let fields = ["name", "url", "width", "height", "kind"]

    static func type(in context: PluginContext) -> LuaType<LuaThumbnail> {
        LuaType(
            name: "thumbnail", fields: fields,
            read: { payload, field, stack throws(LuaError) in
                switch field {
                case 0: stack.push(payload.shown.name)
                case 1: stack.push(payload.shown.url)
                case 2: try stack.push(FieldValue(payload.shown.width))
                case 3: try stack.push(FieldValue(payload.shown.height))
                default: try stack.push(FieldValue(payload.picture?.head.kind.rawValue))
                }
            },
            unknown: { stack, _ in
                let name = stack.text(at: 2) ?? "a \(stack.kind(at: 2).name)"
                let known = fields + API.methods(of: .thumbnail).map(\.name)
                return LuaError("a thumbnail has no '\(name)'; " + Nearest.advice(for: name, among: known))
            },
            methods: context.methods(of: .thumbnail))
    }
}

enum ThumbnailAPI {
    private static let reads = "nil and a reason when no size can be had"

    static let functions: [APIFunction] = [
        APIFunction(
            "thumbnail", "Chooses a video's picture. Nothing is asked of anybody before its bytes are wanted.",
            [
                APIParameter("video", .either([.object(.video), .text]), "a record, an address or an id"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "width", .integer(1...10_000), "pixels at least; the widest when absent", optional: true),
                        APIParameter("height", .integer(1...10_000), "pixels at least", optional: true),
                        APIParameter(
                            "format", .choice(Thumbnail.Kind.allCases.map(\.rawValue)),
                            "no other is taken; when absent any, and jpeg of YouTube's", optional: true),
                        APIParameter(
                            "aspect", .text, "such as 16:9; no other shape is taken, but for 3 in 100", optional: true),
                        APIParameter(
                            "timeout", .integer(1...600), "seconds for each size that is tried; 15 when absent",
                            optional: true),
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.thumbnail),
                    "name, url, and where they are known width and height, of the size that is tried first; once it was fetched those of what came, and kind. nil and a reason when no picture is known"
                )
            ], example: #"local picture = yt.thumbnail(v, {width = 480}) print(picture and picture.url)"#
        ) { call throws(LuaError) in
            var wish = Thumbnail.Wish()
            wish.width = call.option("width", of: 1).integer
            wish.height = call.option("height", of: 1).integer
            wish.kind = call.option("format", of: 1).text.flatMap(Thumbnail.Kind.init(rawValue:))
            if let text = call.option("aspect", of: 1).text {
                guard let aspect = Thumbnail.Aspect(text) else {
                    throw LuaError("yt.thumbnail: aspect is written 16:9, two whole numbers from 1 to 100")
                }
                wish.aspect = aspect
            }
            let video: Video
            if let record = call.context.video(at: call.index(0), of: call.stack) {
                video = record
            } else {
                switch Result(catching: { () throws(MediaRef.Refusal) in try MediaRef.parse(call.text(0) ?? "") }) {
                case .success(let ref): video = Video([.url: .text(ref.url)])
                case .failure(let refusal): return call.unreadable("\(refusal)")
                }
            }
            let choices = Thumbnail.choices(of: video, wish)
            guard !choices.isEmpty else { return call.unreadable(wish.reasonForNone) }
            let timeout = call.option("timeout", of: 1).integer.map(Double.init) ?? ThumbnailJob.usualTimeout
            call.stack.push(
                LuaThumbnail(choices, wish, timeout: timeout), as: call.context.types.thumbnail)
            return 1
        },
        APIFunction(
            "Thumbnail:bytes", "Fetches the picture: of the size that was chosen, or the next that is there.",
            gives: [APIResult(.text, reads), APIResult(.text, "jpeg, png, gif, webp or avif, as its bytes say")],
            grant: .search,
            example: "local bytes, kind = picture:bytes()"
        ) { call throws(LuaError) in
            try call.fetch { picture throws(LuaError) in
                call.stack.push(bytes: picture.bytes)
                call.stack.push(picture.head.kind.rawValue)
                return 2
            }
        },
        APIFunction(
            "Thumbnail:data_uri", "Fetches the picture as an address of the scheme data, to carry it in a page.",
            gives: [APIResult(.text, reads)], grant: .search,
            example: "v.thumbnails = {own = {url = picture:data_uri()}}"
        ) { call throws(LuaError) in
            try call.fetch { picture throws(LuaError) in
                let data = Base64.encode(picture.bytes)
                call.stack.push("data:image/\(picture.head.kind.rawValue);base64,\(data)")
                return 1
            }
        },
        APIFunction(
            "Thumbnail:save", "Fetches the picture and writes it to a file, whole or not at all.",
            [APIParameter("path", .text, "from the folder where ythost was started")],
            gives: [APIResult(.flag, "true; " + reads)], grant: .write,
            example: #"picture:save(v.id .. ".jpg")"#
        ) { call throws(LuaError) in
            try call.fetch { picture throws(LuaError) in
                _ = try call.context.ask(.writeFile(call.text(0) ?? "", picture.bytes))
                call.stack.push(true)
                return 1
            }
        },
        APIFunction(
            "Thumbnail:ansi",
            "Fetches the picture as lines of symbols for a terminal, of one that moves the first frame.",
            [
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "width", .integer(1...1000),
                            "columns at most; as many as the output has, or 80, when absent", optional: true),
                        APIParameter("height", .integer(1...1000), "lines at most; 24 when absent", optional: true),
                        APIParameter(
                            "symbols", .text, "sets of libchafa's joined by +, such as block, half, braille, ascii",
                            optional: true),
                        APIParameter(
                            "colors", .choice(["none", "8", "16", "256", "all"]),
                            "256 when absent, and none where the output has no colours", optional: true),
                    ]), optional: true)
            ],
            gives: [APIResult(.text, "lines without the last line's end; " + reads)], grant: .search,
            example: "out:line(picture:ansi{width = 40})"
        ) { call throws(LuaError) in
            let target = call.context.environment.output.target
            var screen = TerminalImageOptions()
            screen.columns = call.option("width", of: 0).integer.map { Int($0) } ?? target.columns ?? 80
            screen.rows = call.option("height", of: 0).integer.map { Int($0) } ?? 24
            screen.colours =
                switch call.option("colors", of: 0).text {
                case "none": .none
                case "8": .eight
                case "16": .sixteen
                case "256": .many
                case "all": .all
                default: target.allowsColor ? .many : .none
                }
            if let symbols = call.option("symbols", of: 0).text { screen.symbols = symbols }
            return try call.draw(on: screen)
        },
    ]
}

/// Marks a pending request as a drawing.
private final class Drawing {}

extension APICall {
    /// Fetches the picture of this call's object, and returns it as terminal text.
    fileprivate func draw(on screen: TerminalImageOptions) throws(LuaError) -> Int32 {
        if errand?.work is Drawing { return try drawn(by: self, screen, nil) }
        return try fetch { picture throws(LuaError) in
            var call = self
            call.errand = nil
            return try drawn(by: call, screen, picture)
        }
    }

    private func drawn(
        by call: APICall, _ screen: TerminalImageOptions, _ picture: ThumbnailJob.Picture?
    ) throws(LuaError) -> Int32 {
        let reply: GateReply?
        do throws(HostError) {
            reply = try call.reply(to: .draw(picture?.bytes ?? [], screen), work: Drawing())
        } catch { throw context.raised(error) }
        guard let reply else { return call.waits }
        guard case .executed(let status, let text, let reason, _) = reply else { return unreadable("no answer") }
        if status != 0 { return unreadable(String(decoding: reason, as: UTF8.self)) }
        stack.push(bytes: text)
        return 1
    }

    /// Fetches the picture of this call's object once, and passes it to the body.
    fileprivate func fetch(
        _ body: (ThumbnailJob.Picture) throws(LuaError) -> Int32
    ) throws(LuaError) -> Int32 {
        var call = self
        guard let thumbnail = stack.payload(at: 1, as: context.types.thumbnail) else {
            throw LuaError("not a thumbnail")
        }
        if let picture = thumbnail.picture { return try body(picture) }
        do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
        let job =
            (call.errand?.work as? ThumbnailJob)
            ?? ThumbnailJob(
                thumbnail.choices, thumbnail.wish, timeout: thumbnail.timeout)
        while let wanted = job.wanted {
            do throws(HostError) {
                guard let reply = try call.reply(to: wanted, work: job) else { return call.waits }
                job.take(.success(reply))
            } catch { job.take(.failure(error)) }
            call.errand = nil
        }
        if let failure = job.failure { throw context.raised(failure) }
        guard let picture = job.picture else { return unreadable(job.reason) }
        thumbnail.picture = picture
        return try body(picture)
    }
}
