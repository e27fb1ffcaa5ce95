// The Vimeo API, 3.4 (https://developer.vimeo.com/api/reference), with a token: the user's own, or one that a login got
// (`VimeoService+Account`). Searches and look-ups are calls with parameters, whose answers are passed on as they are. What
// is easily got wrong: a token may be that of a person, who sees what nobody else does.

import Basics
import VideoModel
import WebClient

/// Searches Vimeo, and looks videos, users and lists up.
///
/// It needs a token: from `YTHOST_VIMEO_TOKEN`, or an account that was logged in. A stored token goes to the server that
/// gave it alone.
public struct VimeoService: VideoService {
    public static let name = "vimeo"
    public var name: String { Self.name }
    public var summary: String { "Vimeo's API; needs a token: ythost login vimeo" }
    public var honoured: Set<SearchOption> { VimeoQuery.honoured }
    public var honouredValues: [SearchOption: [String]] { VimeoQuery.values }
    public var lookUps: Set<LookUp.Kind> { Set(LookUp.Kind.allCases) }

    /// How the service is reached.
    public let network: Network

    public init(network: Network) { self.network = network }

    /// What calls are counted in, as its answers say.
    static let bucket = "requests"

    /// Rows of a page, as many as a batch of look-ups has.
    static let pageSize = LookUp.batch
    /// Rows that are read when nobody says how many, since calls are counted.
    static let usualLimit = 50

    /// Whether a text is an address of Vimeo's site.
    public static func isAddress(_ text: String) -> Bool { VimeoReference.address(text) != nil }

    // MARK: Searching

    public func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        try check(query)
        if page == nil, limit < .max { try checkQuota(query, limit) }
        let (search, access) = (try VimeoQuery(query), try access())
        let calls = try checkPublic(search.place, query.options[.channel]?.text ?? "", access)
        var page = try list(searchCall(search), page, access)
        page.calls += calls
        return page
    }

    public func isPrivate(_ query: SearchQuery) -> Bool { (try? VimeoQuery(query))?.isPrivate ?? false }

    private func searchCall(_ search: VimeoQuery) -> ServiceSite.Call {
        var call = ServiceSite.Call(search.path)
        call.query = search.parameters
        if let fields = search.fields { call.add("fields", fields) }
        return call
    }

    /// Refuses a search of more pages than calls are left in this period, before the first is spent.
    private func checkQuota(_ query: SearchQuery, _ limit: Int) throws(ServiceError) {
        guard limit > Self.pageSize, !network.settings.isOffline, network.settings.policy != .localOnly else { return }
        for plan in try plan(query, limit: limit, fields: []) {
            if let left = plan.left, left > 0, plan.count > left {
                throw .quotaShort(
                    service: name, bucket: Self.bucket, needed: plan.count, left: left,
                    fits: (plan.kept + left) * Self.pageSize)
            }
        }
    }

    /// One page of a collection.
    private func list(
        _ call: ServiceSite.Call, _ page: String?, _ access: VimeoAccess
    ) throws(ServiceError) -> SearchPage {
        let number = try site.number(of: page, first: 1)
        let answer: ServiceSite.Answer
        do throws(ServiceError) { answer = try send(paged(call, number), access) } catch {
            // There were more when the page before was made.
            guard number > 1, case .refused(_, _, "2286", _, _) = error.plain else { throw error }
            var last = SearchPage(body: Self.nothing, format: name, calls: 1)
            last.previous = "\(number - 1)"
            last.isCounted = true
            if isCovered(access) { last.first = "1" }
            return last
        }
        let envelope = try VimeoAnswer.envelope(answer.response.body, page: number)
        var result = SearchPage(
            answer, format: name, next: envelope.next.map(String.init), estimate: envelope.total)
        result.previous = envelope.previous.map(String.init)
        result.first = envelope.first.map(String.init)
        result.last = envelope.last.map(String.init)
        result.total = envelope.total
        result.isCounted = true
        return try publicOnly(result, access, call.query.first { $0.name == "fields" }?.value ?? VimeoParts.all)
    }

    private func paged(_ call: ServiceSite.Call, _ number: Int) -> ServiceSite.Call {
        var call = call
        call.add("per_page", "\(Self.pageSize)")
        if number > 1 { call.add("page", "\(number)") }
        return call
    }

    static let nothing = Array(#"{"data":[],"paging":{}}"#.utf8)

    // MARK: Looking up

    public func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        let kind = question.kind
        switch question {
        case .videos(let texts, let fields):
            var ids: [String] = []
            for text in texts { ids.append(try VimeoReference.video(text)) }
            guard !ids.isEmpty else { return SearchPage(body: Self.nothing, format: name) }
            return try videos(ids, fields, try access())
        case .channel(let text):
            return try one(try VimeoReference.channel(text, for: kind), VimeoParts.users)
        case .playlist(let text):
            return try one(try VimeoReference.playlist(text, for: kind), VimeoParts.lists)
        case .uploads, .items:
            let (reference, text) = try listing(question)
            let access = try access()
            let calls = try checkPublic(reference, text, access)
            do throws(ServiceError) {
                var page = try list(listCall(question, reference), page, access)
                page.calls += calls
                return page
            } catch {
                guard case .notThere(_, 404, _, _) = error.plain else { throw error }
                throw noSuchList(text, kind)
            }
        }
    }

    func noSuchList(_ text: String, _ kind: LookUp.Kind) -> ServiceError {
        .badReference(
            service: name, kind, text: text, reason: "Vimeo has no such \(kind == .uploads ? "user" : "list")")
    }

    public func isPrivate(_ question: LookUp) -> Bool {
        switch question {
        case .videos: false
        case .channel(let text), .uploads(let text):
            (try? VimeoReference.channel(text, for: .uploads))?.isPrivate ?? false
        case .playlist(let text), .items(let text):
            (try? VimeoReference.playlist(text, for: .items))?.isPrivate ?? false
        }
    }

    /// What is listed, and the text that names it.
    private func listing(_ question: LookUp) throws(ServiceError) -> (VimeoReference, String) {
        switch question {
        case .channel(let text), .uploads(let text): (try VimeoReference.channel(text, for: .uploads), text)
        case .playlist(let text), .items(let text): (try VimeoReference.playlist(text, for: .items), text)
        case .videos: throw .lookUpNotOffered(service: name, .items)
        }
    }

    /// What is in a list, or what somebody published.
    private func listCall(_ question: LookUp, _ reference: VimeoReference) -> ServiceSite.Call {
        var call = ServiceSite.Call(reference.videos)
        if question.kind == .uploads {
            call.add("sort", "date")
            call.add("direction", "desc")
        }
        if let fields = VimeoParts.videos() { call.add("fields", fields) }
        return call
    }

    func lookUpCall(_ reference: VimeoReference, _ fields: String) -> ServiceSite.Call {
        var call = ServiceSite.Call(reference.path)
        call.add("fields", fields)
        return call
    }

    private func one(_ reference: VimeoReference, _ fields: String) throws(ServiceError) -> SearchPage {
        let access = try access()
        do throws(ServiceError) {
            return try publicOnly(
                one: SearchPage(try send(lookUpCall(reference, fields), access), format: name), access, fields)
        } catch {
            guard case .notThere(_, 404, _, _) = error.plain else { throw error }
            return SearchPage(body: Self.nothing, format: name, calls: 1)
        }
    }

    /// What is asked for of videos; nil for everything, of which the account's own are told more than everybody may know.
    private func parts(_ fields: Set<VideoField>?, _ access: VimeoAccess) -> String? {
        VimeoParts.videos(fields) ?? (isCovered(access) ? VimeoParts.all : nil)
    }

    private func videosCall(_ ids: [String], _ parts: String?) -> ServiceSite.Call {
        var call = ServiceSite.Call(["videos"])
        call.add("uris", ids.map { "/videos/\($0)" }.joined(separator: ","))
        if let parts { call.add("fields", parts) }
        return paged(call, 1)
    }

    /// Those that are not there are not in the answer; where the service refuses the whole for one of them (2204), the
    /// halves are asked for.
    private func videos(
        _ ids: [String], _ fields: Set<VideoField>?, _ access: VimeoAccess
    ) throws(ServiceError) -> SearchPage {
        do throws(ServiceError) {
            let parts = parts(fields, access)
            let answer = try send(videosCall(ids, parts), access)
            _ = try VimeoAnswer.envelope(answer.response.body, page: 1)
            return try publicOnly(SearchPage(answer, format: name), access, parts ?? VimeoParts.all, unlocked: ids)
        } catch {
            switch error.plain {
            // About one of them, as far as can be told.
            case .refused(_, _, "2204", nil, _), .refused(_, _, "2204", "uris", _): break
            // One that is not there, as the service says it itself.
            case .notThere(_, 404, .some, _) where ids.count == 1: break
            default: throw error
            }
            guard ids.count > 1 else { return SearchPage(body: Self.nothing, format: name, calls: 1) }
            var page = try videos(Array(ids[..<(ids.count / 2)]), fields, access)
            let rest = try videos(Array(ids[(ids.count / 2)...]), fields, access)
            page.body += [UInt8(ascii: "\n")] + rest.body
            page.calls += rest.calls + 1
            page.kept += rest.kept
            page.fallback = page.fallback ?? rest.fallback
            return page
        }
    }

    // MARK: Planning

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        try check(query)
        return [try plan(pages: searchCall(try VimeoQuery(query)), limit, try access())]
    }

    public func plan(_ question: LookUp, limit: Int?) throws(ServiceError) -> [PlannedCalls] {
        let access = try access()
        switch question {
        case .videos(let texts, let fields):
            var ids: [String] = []
            for text in texts { ids.append(try VimeoReference.video(text)) }
            return ids.isEmpty ? [] : [plan(one: videosCall(ids, parts(fields, access)), access)]
        case .channel(let text):
            return [
                plan(one: lookUpCall(try VimeoReference.channel(text, for: .channel), VimeoParts.users), access)
            ]
        case .playlist(let text):
            return [
                plan(one: lookUpCall(try VimeoReference.playlist(text, for: .playlist), VimeoParts.lists), access)
            ]
        case .uploads, .items: return [try plan(pages: listCall(question, try listing(question).0), limit, access)]
        }
    }

    private func plan(
        pages call: ServiceSite.Call, _ limit: Int?, _ access: VimeoAccess
    ) throws(ServiceError) -> PlannedCalls {
        let pages = max(1, ((limit ?? Self.usualLimit) + Self.pageSize - 1) / Self.pageSize)
        // Pages that are kept lead to each other.
        var kept = 0
        var number: Int? = 1
        while kept < pages, let page = number, let answer = self.kept(paged(call, page), access) {
            kept += 1
            number = (try? VimeoAnswer.envelope(answer.body, page: page))?.next
        }
        return planned(paged(call, 1), access, count: number == nil ? 0 : pages - kept, kept: kept)
    }

    func plan(one call: ServiceSite.Call, _ access: VimeoAccess) -> PlannedCalls {
        let isKept = kept(call, access) != nil
        return planned(call, access, count: isKept ? 0 : 1, kept: isKept ? 1 : 0)
    }

    private func planned(_ call: ServiceSite.Call, _ access: VimeoAccess, count: Int, kept: Int) -> PlannedCalls {
        let status = network.ledger.status(bucket(access))
        var plan = PlannedCalls(
            method: "GET /" + call.path.joined(separator: "/"), count: count, bucket: Self.bucket, left: status?.left,
            limit: status?.limit, kept: kept,
            detail: call.query.filter { $0.name != "fields" }.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        if (call.policy ?? network.settings.policy) == .localThenNetwork { plan.again = kept }
        return plan
    }
}
