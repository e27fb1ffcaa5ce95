// The YouTube Data API, v3 (https://developers.google.com/youtube/v3/docs), with an API key. Searches and look-ups are
// calls with parameters, whose answers are passed on as they are. What is easily got wrong: searches, statistics and all
// other reads are counted in three buckets, and a further page is a further call.

import VideoFormats
import VideoModel
import WebClient

/// Searches YouTube, and looks videos, channels and playlists up.
///
/// It needs a key: from `YTHOST_YOUTUBE_KEY`, or a profile that was logged in. A stored key goes to Google's hosts alone.
/// Without a key, what a channel or a playlist published last is read from its public feed.
public struct YouTubeService: VideoService {
    public static let name = "youtube"
    public var name: String { Self.name }
    public let summary = "YouTube's Data API; needs a key: ythost login youtube"
    public var honoured: Set<SearchOption> { YouTubeQuery.honoured }
    public var lookUps: Set<LookUp.Kind> { Set(LookUp.Kind.allCases) }
    public var lookUpFields: Set<VideoField> { (try? access()) == nil ? [] : YouTubeParts.beyondSearch }

    /// How the service is reached.
    public let network: Network
    /// Seconds for which an answer is as good as a new one.
    let freshFor: Int64

    public init(network: Network, freshFor: Int64 = 3600) {
        self.network = network
        self.freshFor = freshFor
    }

    // MARK: Searching

    public func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        if page == nil, limit < .max { try checkQuota(query, limit) }
        let (query, asked) = try resolved(query)
        let search = try YouTubeQuery(query)
        let access = try access()
        let (channel, spent) = try channelID(for: search, access)
        let reply = try send(searchCall(search, channel: channel, page: page), access)
        var answer = try self.page(reply)
        answer.calls += asked + spent
        answer.tells = YouTubeParts.beyondSearch
        answer.asked = search.asked
        return answer
    }

    /// Refuses a search of more pages than calls are left, before the first is spent: half of what was asked for would
    /// come to nothing. With none left at all nothing can be spent, and an old answer may do.
    private func checkQuota(_ query: SearchQuery, _ limit: Int) throws(ServiceError) {
        guard limit > Self.pageSize, !network.settings.isOffline, network.settings.policy != .localOnly else { return }
        for plan in try plan(query, limit: limit, fields: []) {
            if let bucket = plan.bucket, let left = plan.left, left > 0, plan.count > left {
                throw .quotaShort(
                    service: name, bucket: bucket, needed: plan.count, left: left,
                    fits: (plan.kept + left) * Self.pageSize)
            }
        }
    }

    /// Rows of a page. A smaller one costs as much, and would be of no use to a later run that wants more.
    static let pageSize = 50

    private func searchCall(_ search: YouTubeQuery, channel: String?, page: String?) -> YouTubeCall {
        var call = YouTubeCall("search", "search.list", .search)
        call.add("part", "snippet")
        for (name, value) in search.parameters { call.add(name, value) }
        if let channel { call.add("channelId", channel) }
        call.add("maxResults", "\(Self.pageSize)")
        if let page { call.add("pageToken", page) }
        call.add("fields", YouTubeParts.search)
        return call
    }

    /// The channel a search is confined to, and the calls it took to find its id.
    private func channelID(for search: YouTubeQuery, _ access: YouTubeAccess) throws(ServiceError) -> (String?, Int) {
        guard let text = search.channel else { return (nil, 0) }
        let (id, calls) = try channelID(YouTubeReference.channel(text, for: .channel), text: text, access)
        guard let id else {
            throw .badReference(service: name, .channel, text: text, reason: "YouTube has no such channel")
        }
        return (id, calls)
    }

    // MARK: Looking up

    public func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        switch question {
        case .videos(let ids, let fields):
            for id in ids where MediaRef.canonicalURL(provider: name, kind: .video, id: id) == nil {
                throw .badReference(service: name, .videos, text: id, reason: "it is no video's id")
            }
            guard !ids.isEmpty else { return SearchPage(body: Self.nothing, format: name) }
            return try self.page(try send(videosCall(ids, fields), try access()))
        case .channel(let text):
            let reference = try YouTubeReference.channel(text, for: .channel)
            if let feed = try feed(reference) { return feed }
            return try channel(reference, try access())
        case .playlist(let text):
            let id = try YouTubeReference.playlist(text, for: .playlist)
            return try orAllUploads(id, nil) { id, _ throws(ServiceError) in
                if let feed = try feed(.playlist(id)) { return feed }
                return try self.page(try send(playlistCall(id), try access()))
            }
        case .uploads(let text):
            let reference = try YouTubeReference.channel(text, for: .uploads)
            if let feed = try feed(reference) { return feed }
            let access = try access()
            let (id, calls) = try channelID(reference, text: text, access)
            guard let id else {
                throw .badReference(service: name, .uploads, text: text, reason: "YouTube has no such channel")
            }
            var answer = try items(of: "UU" + id.dropFirst(2), page, access)
            answer.calls += calls
            return answer
        case .items(let text):
            let id = try YouTubeReference.playlist(text, for: .items)
            return try orAllUploads(id, page) { id, page throws(ServiceError) in
                if let feed = try feed(.playlist(id)) { return feed }
                return try items(of: id, page, try access())
            }
        }
    }

    /// Asks for a list. YouTube has one of a channel's uploads without its Shorts, `UULF…`, and at times answers that there
    /// is none; the list of all uploads, `UU…`, is asked for then. Pages of that one are marked, since it has them alone.
    private func orAllUploads(
        _ id: String, _ page: String?, _ ask: (String, String?) throws(ServiceError) -> SearchPage
    ) throws(ServiceError) -> SearchPage {
        let mark = "UU "
        guard id.hasPrefix("UULF"), id.utf8.count == 26 else { return try ask(id, page) }
        let isMarked = page?.hasPrefix(mark) ?? false
        if !isMarked {
            do throws(ServiceError) { return try ask(id, page) } catch {
                guard case .notThere = error else { throw error }
            }
        }
        var answer = try ask("UU" + id.dropFirst(4), isMarked ? page.map { String($0.dropFirst(mark.count)) } : page)
        answer.next = answer.next.map { mark + $0 }
        answer.previous = answer.previous.map { mark + $0 }
        if !isMarked {
            answer.remark = "YouTube says that there is no list \(id); these are all uploads, with Shorts among them"
        }
        return answer
    }

    private func videosCall(_ ids: [String], _ fields: Set<VideoField>?) -> YouTubeCall {
        if let fields, !fields.isEmpty, YouTubeParts.areStatistics(fields) {
            var call = YouTubeCall("videos:batchGetStats", "videos.batchGetStats", .stats)
            let (parts, selector) = YouTubeParts.statistics(fields)
            call.add("part", parts)
            call.add("id", ids.joined(separator: ","))
            call.add("fields", selector)
            return call
        }
        var call = YouTubeCall("videos", "videos.list", .read)
        let (parts, selector) = YouTubeParts.videos(fields)
        call.add("part", parts)
        call.add("id", ids.joined(separator: ","))
        call.add("fields", selector)
        return call
    }

    private func channel(_ reference: YouTubeReference, _ access: YouTubeAccess) throws(ServiceError) -> SearchPage {
        let reply = try send(channelCall(reference), access)
        var answer = try page(reply)
        // A bare name is a user's or, more often today, a handle.
        if case .user(let name) = reference, try YouTubeAnswer.envelope(answer.body).count == 0 {
            let spent = answer.calls
            answer = try page(try send(channelCall(.handle("@" + name)), access))
            answer.calls += spent
        }
        return answer
    }

    private func channelCall(_ reference: YouTubeReference) -> YouTubeCall {
        var call = YouTubeCall("channels", "channels.list", .read)
        call.add("part", YouTubeParts.channel.parts)
        switch reference {
        case .channel(let id), .playlist(let id): call.add("id", id)
        case .handle(let handle): call.add("forHandle", handle)
        case .user(let name): call.add("forUsername", name)
        }
        call.add("fields", YouTubeParts.channel.selector)
        return call
    }

    private func playlistCall(_ id: String) -> YouTubeCall {
        var call = YouTubeCall("playlists", "playlists.list", .read)
        call.add("part", YouTubeParts.playlist.parts)
        call.add("id", id)
        call.add("fields", YouTubeParts.playlist.selector)
        return call
    }

    /// The id of a channel, and the calls it took to find it; nil when there is none.
    private func channelID(
        _ reference: YouTubeReference, text: String, _ access: YouTubeAccess
    ) throws(ServiceError) -> (String?, Int) {
        if case .channel(let id) = reference { return (id, 0) }
        let answer = try channel(reference, access)
        let videos = (try? RecordReader.read(answer.body, as: name)) ?? []
        return (videos.first?.id, answer.calls)
    }

    private func items(of id: String, _ page: String?, _ access: YouTubeAccess) throws(ServiceError) -> SearchPage {
        var answer = try self.page(try send(itemsCall(id, page), access))
        answer.tells = YouTubeParts.beyondSearch
        return answer
    }

    private func itemsCall(_ id: String, _ page: String?) -> YouTubeCall {
        var call = YouTubeCall("playlistItems", "playlistItems.list", .read)
        call.add("part", YouTubeParts.playlistItems.parts)
        call.add("playlistId", id)
        call.add("maxResults", "\(Self.pageSize)")
        if let page { call.add("pageToken", page) }
        call.add("fields", YouTubeParts.playlistItems.selector)
        return call
    }

    private static let nothing = Array(#"{"kind":"youtube#videoListResponse","items":[]}"#.utf8)

    /// An answer as a page.
    private func page(_ reply: YouTubeReply) throws(ServiceError) -> SearchPage {
        let envelope = try YouTubeAnswer.envelope(reply.response.body, of: reply.method)
        var page = SearchPage(
            body: reply.response.body, format: name, next: envelope.next, estimate: envelope.estimate,
            calls: reply.response.attempts)
        page.previous = envelope.previous
        page.isCounted = true
        page.kept = reply.isKept ? 1 : 0
        page.fallback = reply.fallback
        return page
    }

    // MARK: Planning

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        _ = try YouTubeQuery(Self.unnamed(query))
        let access = try access()
        let (query, named, isWhole) = try resolvedFromKept(query, access)
        let search = try YouTubeQuery(query)
        var plans = named
        var channel: String?
        if let text = search.channel {
            let reference = try YouTubeReference.channel(text, for: .channel)
            if case .channel(let id) = reference {
                channel = id
            } else {
                let call = channelCall(reference)
                let kept = kept(call, access)
                plans.append(plan(call, access, count: kept == nil ? 1 : 0, kept: kept == nil ? 0 : 1))
                channel = kept.flatMap { (try? RecordReader.read($0.body, as: name))?.first?.id }
            }
        }
        let rows = limit ?? Self.usualLimit
        let pages = max(1, (rows + Self.pageSize - 1) / Self.pageSize)
        let first = searchCall(search, channel: channel, page: nil)
        // Pages that are kept lead to each other.
        var keptPages = 0
        var token: String?
        var hasMore = isWhole && (search.channel == nil || channel != nil)
        while hasMore, keptPages < pages,
            let page = kept(searchCall(search, channel: channel, page: token), access),
            let envelope = try? YouTubeAnswer.envelope(page.body)
        {
            keptPages += 1
            token = envelope.next
            hasMore = token != nil
            if !hasMore { break }
        }
        let count = keptPages > 0 && !hasMore ? 0 : pages - keptPages
        plans.append(plan(first, access, count: count, kept: keptPages))
        let wanted = fields.intersection(YouTubeParts.beyondSearch)
        if !wanted.isEmpty {
            plans.append(plan(videosCall(["…"], wanted), access, count: pages, kept: 0))
        }
        return plans
    }

    public func plan(_ question: LookUp, limit: Int?) throws(ServiceError) -> [PlannedCalls] {
        if let feed = try feedPlan(question) { return [feed] }
        let access = try access()
        let pages = max(1, ((limit ?? Self.usualLimit) + Self.pageSize - 1) / Self.pageSize)
        let call: YouTubeCall
        var count = 1
        switch question {
        case .videos(let ids, let fields): call = videosCall(ids, fields)
        case .channel(let text): call = channelCall(try YouTubeReference.channel(text, for: .channel))
        case .playlist(let text): call = playlistCall(try YouTubeReference.playlist(text, for: .playlist))
        case .uploads(let text):
            let reference = try YouTubeReference.channel(text, for: .uploads)
            guard case .channel(let id) = reference else {
                return [
                    plan(channelCall(reference), access, count: 1, kept: 0),
                    plan(itemsCall("UU…", nil), access, count: pages, kept: 0),
                ]
            }
            call = itemsCall("UU" + id.dropFirst(2), nil)
            count = pages
        case .items(let text):
            call = itemsCall(try YouTubeReference.playlist(text, for: .items), nil)
            count = pages
        }
        let isKept = kept(call, access) != nil
        return [plan(call, access, count: isKept ? count - 1 : count, kept: isKept ? 1 : 0)]
    }

    /// Rows that are read when nobody says how many, since calls are counted.
    static let usualLimit = 50

    func plan(_ call: YouTubeCall, _ access: YouTubeAccess, count: Int, kept: Int) -> PlannedCalls {
        let bucket = bucket(call.bucket, access)
        let status = network.ledger.status(bucket)
        var plan = PlannedCalls(
            method: call.method, count: count, bucket: bucket.name, left: status?.left, limit: status?.limit,
            kept: kept,
            detail: call.query.filter { $0.name != "fields" && $0.name != "part" }.map { "\($0.name)=\($0.value)" }
                .joined(separator: " "))
        plan.units = call.units
        if (call.policy ?? network.settings.policy) == .localThenNetwork { plan.again = kept }
        return plan
    }
}
