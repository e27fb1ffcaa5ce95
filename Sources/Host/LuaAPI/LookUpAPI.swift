// Look-ups by name: videos by id, channels, playlists, and their videos.

import Basics
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import VideoFormats
import VideoModel
import VideoServices

package enum LookUpAPI {
    private static let source = APIParameter(
        "source", .text, "the service; when absent the one an address names, else youtube", optional: true)
    private static let most = APIParameter(
        "max", .integer(1...1_000_000), "rows to read at most; 50 when absent, where calls are counted", optional: true)

    static let functions: [APIFunction] = [
        APIFunction(
            "videos",
            "Looks videos up by id or address, 50 a call, in the order given.",
            [
                APIParameter("ids", .either([.text, .list(.text)]), "ids or addresses"),
                APIParameter(
                    "options",
                    .options([
                        source,
                        APIParameter(
                            "fields", .list(.text), "the fields that are wanted; all when absent", optional: true),
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.results), "the videos that are there; results.info.missing lists the ids of the others")
            ], grant: .search,
            example: #"for v in yt.videos{"dQw4w9WgXcQ", "jNQXAC9IVRw"} do print(v.title, v.duration) end"#
        ) { call throws(LuaError) in
            let context = call.context
            let texts = call.texts(0)
            let service = try call.service(option: 1, for: texts.first)
            var fields: Set<VideoField>?
            if call.stack.kind(at: call.index(1)) == .table {
                call.stack.pushField("fields", of: call.index(1))
                defer { call.stack.pop() }
                if !call.stack.isNil(at: -1) { fields = try context.fields(at: call.stack.count, call.stack) }
            }
            let ids = texts.map { LookUpAPI.videoID($0, at: service) }
            let stream = VideosStream(
                ids, fields: fields, source: service, gate: context.environment.gate, plugin: context.path)
            try context.pushResults(stream, on: call.stack)
            return 1
        },
        APIFunction(
            "channel", "Looks a channel up. Without a key, only an id or an address with one can be.",
            [
                APIParameter("reference", .text, "its id, @handle, user name, or the address of its page"),
                APIParameter("options", .options([source]), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.video),
                    "a record of kind channel; nil and a reason when there is none. Its `extra` may tell subscribers, videos and handle"
                )
            ], grant: .search,
            example:
                #"local channel = yt.channel("@3blue1brown") for v in channel:uploads{max = 5} do print(v.title) end"#
        ) { call throws(LuaError) in try call.lookUpOne { .channel($0) } },
        APIFunction(
            "playlist", "Looks a playlist up.",
            [
                APIParameter("reference", .text, "its id, or an address that has it"),
                APIParameter("options", .options([source]), optional: true),
            ],
            gives: [
                APIResult(
                    .object(.video),
                    "a record of kind playlist; nil and a reason when there is none. Its `extra` may tell how many videos it has"
                )
            ], grant: .search,
            example:
                #"local list = yt.playlist("PLZHQObOWTQDMsr9K-rj53DwVRMYO3t5Yr") for v in list:items{max = 5} do print(v.title) end"#
        ) { call throws(LuaError) in try call.lookUpOne { .playlist($0) } },
        APIFunction(
            "Video:uploads", "Reads what a channel published, newest first.",
            [APIParameter("options", .options([most, SourceAPI.page]), optional: true)],
            gives: [APIResult(.object(.results), "videos")], grant: .search,
            example: #"for v in yt.channel("@3blue1brown"):uploads{max = 10} do print(v.title) end"#
        ) { call throws(LuaError) in
            let (service, id) = try call.listed(as: .channel, "uploads")
            let limit = call.option("max", of: 0).integer.map(Int.init)
            try call.pushListing(.uploads(id), service, .init(order: .newestUpload, limit: limit))
            return 1
        },
        APIFunction(
            "Video:items", "Reads what is in a playlist, in its order.",
            [
                APIParameter(
                    "options",
                    .options([
                        most, SourceAPI.page,
                        APIParameter(
                            "newest", .integer(1...1_000_000),
                            "only so many that were added last, the last one first; for playlists that grow at their end, which are read whole for it",
                            optional: true),
                        APIParameter(
                            "skip_unavailable", .flag, "whether to leave out what is private or deleted", optional: true
                        ),
                    ]), optional: true)
            ], gives: [APIResult(.object(.results), "videos")], grant: .search,
            example:
                #"for v in yt.playlist("PLZHQObOWTQDMsr9K-rj53DwVRMYO3t5Yr"):items{newest = 5} do print(v.title) end"#
        ) { call throws(LuaError) in
            let (service, id) = try call.listed(as: .playlist, "items")
            var listing = ListingStream.Listing(limit: call.option("max", of: 0).integer.map(Int.init))
            if let newest = call.option("newest", of: 0).integer { listing.order = .newestItem(Int(newest)) }
            listing.skipsUnavailable = call.option("skip_unavailable", of: 0).isTrue
            try call.pushListing(.items(id), service, listing)
            return 1
        },
    ]

    /// The service that an address belongs to; nil unless it is an address of a service that looks up references.
    package static func service(of text: String) -> String? {
        VimeoService.isAddress(text) ? VimeoService.name : nil
    }

    /// The id in an address, with the hash of an unlisted video. Any other text is returned unchanged.
    static func videoID(_ text: String, at service: String) -> String {
        let ref = (try? MediaRef.parse(text)).flatMap { $0.provider == service && $0.kind == .video ? $0 : nil }
        if service == VimeoService.name, let ref, let hash = ref.hash { return "\(ref.id):\(hash)" }
        let id = ref?.id ?? text
        return service == PeerTubeService.name ? MediaRef.peerTubeUUID(id) : id
    }
}

extension APICall {
    /// A string, or all strings of a list.
    fileprivate func texts(_ position: Int32) -> [String] {
        if let text = text(position) { return [text] }
        var texts: [String] = []
        for element in 0..<Int64(stack.rawLength(at: index(position))) {
            stack.pushElement(element + 1, of: index(position))
            var bytes: [UInt8] = []
            if stack.append(at: stack.count, to: &bytes) { texts.append(String(decoding: bytes, as: UTF8.self)) }
            stack.pop()
        }
        return texts
    }

    /// The service to use. Fails if the script may not make requests.
    ///
    /// - Parameter reference: the reference to look up, or the first of several.
    fileprivate func service(option position: Int32, for reference: String?) throws(LuaError) -> String {
        do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
        return option("source", of: position).text ?? reference.flatMap(LookUpAPI.service(of:)) ?? YouTubeService.name
    }

    /// Pushes the record that a look-up returns, or nil and a reason.
    fileprivate func lookUpOne(_ question: (String) -> LookUp) throws(LuaError) -> Int32 {
        let text = text(0) ?? ""
        let service = try service(option: 1, for: text)
        let question = question(text)
        let records: [Video]
        do throws(HostError) {
            let request = GateRequest.lookUp(source: service, question, limit: 1, page: nil)
            guard let reply = try reply(to: request) else { return waits }
            guard case .page(let page, _) = reply else { return unreadable("there is no answer") }
            do throws(FormatError) { records = try page.records() } catch {
                throw .service(.badAnswer(service: service, reason: "\(error)"))
            }
            // A feed contains no record of the channel or playlist itself.
            if page.format == "feed" {
                context.push(Self.owner(of: records, question), on: stack)
                return 1
            }
        } catch {
            guard let report = error.report, report.kind == "reference" else { throw context.raised(error) }
            return unreadable(report.message)
        }
        guard let record = records.first else {
            return unreadable("\(service) has no \(question.kind.rawValue) '\(text)'")
        }
        context.push(record, on: stack)
        return 1
    }

    /// Derives a channel from the videos of its feed. For a playlist the videos tell nothing, so it has only its id.
    private static func owner(of videos: [Video], _ question: LookUp) -> Video {
        var fields: [VideoField: FieldValue] = [.provider: .text(YouTubeService.name)]
        switch question {
        case .channel(let text):
            fields[.kind] = .text("channel")
            fields[.id] = FieldValue((try? MediaRef.parse(text))?.id)
            if let channel = videos.first?.channel {
                fields[.title] = FieldValue(channel.title)
                fields[.id] = FieldValue(channel.id ?? fields[.id]?.text)
                fields[.channel] = channel.value
            }
        case .playlist(let text):
            fields[.kind] = .text("playlist")
            let ref = try? MediaRef.parse(text)
            fields[.id] = FieldValue(ref?.list ?? ref?.id)
        case .videos, .uploads, .items: break
        }
        return Video(fields)
    }

    /// The service and id of the record that a method is called on.
    fileprivate func listed(as kind: Video.Kind, _ method: String) throws(LuaError) -> (service: String, id: String) {
        do throws(HostError) { try context.claimArguments() } catch { throw context.raised(error) }
        guard let record = context.video(at: 1, of: stack), record.kind == kind else {
            let kind = kind.rawValue
            throw LuaError("only a \(kind) has \(method); yt.\(kind)(reference) gives one")
        }
        guard let id = record.id else { throw LuaError("this \(kind.rawValue) has no id") }
        return (record.provider ?? YouTubeService.name, id)
    }

    fileprivate func pushListing(
        _ question: LookUp, _ service: String, _ listing: ListingStream.Listing
    ) throws(LuaError) {
        let stream = ListingStream(
            question, source: service, listing, page: option("page", of: 0).text, gate: context.environment.gate,
            plugin: context.path)
        try context.pushResults(stream, on: stack)
    }
}

extension PluginContext {
    /// The fields named in a list.
    func fields(at index: Int32, _ stack: LuaStack) throws(LuaError) -> Set<VideoField> {
        var fields: Set<VideoField> = []
        for position in 0..<Int64(stack.rawLength(at: index)) {
            stack.pushElement(position + 1, of: index)
            defer { stack.pop() }
            let name = stack.text(at: -1) ?? ""
            guard let field = VideoField(name: name) else {
                throw LuaError("a video has no field '\(name)'; " + Nearest.advice(for: name, among: VideoField.names))
            }
            fields.insert(field)
        }
        return fields
    }

    /// For the prelude. Takes a list of at most 50 items, a list of fields, and the service requested before. Fills in
    /// records from the next service. Returns the list, the service's name if a request was made, the calls spent, and
    /// the number of cached replies.
    func enrich(_ stack: LuaStack) throws(LuaError) -> Int32 {
        var errand: PendingRequest?
        if stack.state.isResumed {
            errand = stack.payload(at: -1, as: types.errand)
            stack.pop()
        }
        let fields = try fields(at: 2, stack)
        var places: [Int64] = []
        var videos: [Video] = []
        for position in 1...Int64(max(1, stack.rawLength(at: 1))) {
            stack.pushElement(position, of: 1)
            if let video = video(at: stack.count, of: stack) {
                places.append(position)
                videos.append(video)
            }
            stack.pop()
        }
        let last = stack.text(at: 3)
        let batch = Enricher.batches(of: videos, fields).first { last ?? "" < $0.service }
        var spent: (calls: Int, kept: Int) = (0, 0)
        if let batch {
            let gate = environment.gate
            do throws(HostError) {
                if errand == nil, stack.mayWait {
                    let begun = try PendingRequest(batch.request, for: path, at: gate)
                    if !begun.isDone {
                        stack.push(begun, as: types.errand)
                        return stack.wait()
                    }
                    errand = begun
                }
                let reply = if let errand { try errand.reply() } else { try gate.ask(batch.request, for: path) }
                spent = try Enricher.fill(&videos, batch, reply, gate)
            } catch { throw raised(error) }
            for index in batch.indices {
                push(videos[index], on: stack)
                stack.setElement(places[index], of: 1)
            }
        }
        stack.push(copyOf: 1)
        if let batch { stack.push(batch.service) } else { stack.push() }
        stack.push(Int64(spent.calls))
        stack.push(Int64(spent.kept))
        return 4
    }
}
