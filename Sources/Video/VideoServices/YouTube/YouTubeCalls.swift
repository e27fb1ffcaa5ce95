// How a call is sent: with which key, to which host, counted in which bucket, kept for how long.

import Basics
import Threads
import WebClient

/// A call of the API, without the key.
struct YouTubeCall {
    var path: String
    /// Its name in the reference.
    var method: String
    var bucket: YouTubeBucket
    var units = 1
    /// nil for the way of the run.
    var policy: CachePolicy?
    var stores = true
    /// Seconds for which an answer is as good as a new one; nil for those of the service.
    var freshFor: Int64?
    /// Seconds for everything; nil for as long as is usual.
    var timeout: Double?
    /// Whether the answer must have the form of the service's lists.
    var isList = true
    private(set) var query: [(name: String, value: String)] = []

    init(_ path: String, _ method: String, _ bucket: YouTubeBucket) {
        self.path = path
        self.method = method
        self.bucket = bucket
    }

    mutating func add(_ name: String, _ value: String) { query.append((name, value)) }
}

/// What calls are counted in, each Pacific day
/// (https://developers.google.com/youtube/v3/determine_quota_cost, since June 2026).
public enum YouTubeBucket: String, Sendable, CaseIterable {
    /// A page of search.list.
    case search
    /// videos.batchGetStats.
    case stats
    /// All other reads.
    case read

    /// Units a day that a project has unless it was given more.
    public var usualLimit: Int {
        switch self {
        case .search: 100
        case .stats, .read: 10_000
        }
    }
}

/// A key and where it may be sent.
struct YouTubeAccess {
    var key: Secret
    var origin: KeyOrigin
    var base: WebAddress
    /// Whether the address was set by the user, and may be anywhere.
    var isSet: Bool
    var account: String
}

/// What came of a call.
struct YouTubeReply {
    var response: WebResponse
    var isKept: Bool
    /// The call's name in the reference.
    var method: String
    var fallback: SearchPage.Fallback?
}

extension YouTubeService {
    static let keyVariable = "YTHOST_YOUTUBE_KEY"
    static let addressVariable = "YTHOST_YOUTUBE_URL"
    /// `search=100,stats=10000,read=10000`, for projects with other limits.
    static let limitsVariable = "YTHOST_YOUTUBE_LIMITS"

    private static let usualBase = WebAddress(scheme: "https", host: "youtube.googleapis.com", path: "/youtube/v3")

    /// The terms of the API allow no more.
    static let keptFor: Int64 = 30 * 86_400

    // MARK: Keys

    /// Whether a key is known, or there should be one: there was a login, or an address is set.
    public var isConfigured: Bool {
        hasVariable(Self.keyVariable) || hasVariable(Self.addressVariable) || network.hadLogin(Self.name)
    }

    private func hasVariable(_ name: String) -> Bool { network.settings.hasVariable?(name) ?? (variable(name) != nil) }

    private func variable(_ name: String) -> String? {
        guard let text = network.settings.variable(name) else { return nil }
        let trimmed = Text.trimmed(text)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Where calls go, and whether the user set it.
    func base() throws(ServiceError) -> (WebAddress, isSet: Bool) {
        guard let text = variable(Self.addressVariable) else { return (Self.usualBase, false) }
        guard var base = WebAddress(text), base.scheme == "https" || base.scheme == "http",
            base.host?.isEmpty == false, base.userInformation == nil, base.query == nil, base.fragment == nil
        else { throw .noKey(service: name, .badAddress(text)) }
        while base.path.hasSuffix("/") { base.path.removeLast() }
        return (base, true)
    }

    private static func isGoogle(_ base: WebAddress) -> Bool {
        base.scheme == "https" && base.port ?? 443 == 443
            && (base.host == "www.googleapis.com" || base.host == "youtube.googleapis.com")
    }

    /// The key to send. A profile that was named counts before the variable.
    func access() throws(ServiceError) -> YouTubeAccess {
        let (base, isSet) = try base()
        func access(_ key: Secret, _ origin: KeyOrigin) -> YouTubeAccess {
            YouTubeAccess(
                key: key, origin: origin, base: base, isSet: isSet, account: QuotaLedger.fingerprint(key))
        }
        if network.settings.profile == nil, let key = variable(Self.keyVariable) {
            return access(Secret(key), .variable(Self.keyVariable))
        }
        guard Self.isGoogle(base) else {
            throw .noKey(service: name, .elsewhere(host: base.host ?? "", profile: network.settings.profile))
        }
        if let store = network.credentials {
            do throws(CredentialError) {
                let profile = if let named = network.settings.profile { named } else { try store.chosen(name) }
                if let values = try store.read(name, profile: profile) {
                    guard let key = values["key"], !key.isEmpty else {
                        throw CredentialError.malformed(path: store.path(of: name, profile: profile))
                    }
                    return access(key, .profile(profile))
                }
            } catch {
                throw .credentials(service: name, error)
            }
        }
        throw .noKey(service: name, network.settings.profile.map { .profile($0) } ?? .none)
    }

    // MARK: Sending

    func bucket(_ bucket: YouTubeBucket, _ access: YouTubeAccess) -> QuotaBucket {
        QuotaBucket(service: name, name: bucket.rawValue, account: access.account, limit: limit(of: bucket))
    }

    private func limit(of bucket: YouTubeBucket) -> Int {
        for piece in variable(Self.limitsVariable)?.split(separator: ",") ?? [] {
            let parts = piece.split(separator: "=")
            if parts.count == 2, parts[0] == bucket.rawValue, let limit = Int(parts[1]), limit >= 0 { return limit }
        }
        return bucket.usualLimit
    }

    private func request(_ call: YouTubeCall, _ access: YouTubeAccess) -> WebRequest {
        var address = access.base
        address.path += "/" + call.path
        address.query = (call.query + [("prettyPrint", "false")])
            .map { "\(Escape.url($0.name))=\(Escape.url($0.value))" }.joined(separator: "&")
        var request = WebRequest(.get, address)
        request.secretQuery = [SecretField("key", access.key)]
        request.target = access.isSet ? .trusted : .open(except: [])
        request.retry.judge = call.isList ? YouTubeAnswer.verdict : YouTubeAnswer.verdictOfAny
        request.charge = WebCharge(bucket(call.bucket, access), units: call.units)
        if let seconds = call.timeout { request.deadlines.total = seconds }
        var use = network.cacheUse(
            space: "\(name)/\(access.account)", policy: call.policy, freshFor: call.freshFor ?? freshFor)
        use.stores = call.stores
        use.keptFor = Self.keptFor
        request.cache = use
        return request
    }

    /// A kept answer that would be given without asking; nil when there is none.
    func kept(_ call: YouTubeCall, _ access: YouTubeAccess) -> WebResponse? {
        var request = request(call, access)
        let policy = request.cache?.policy ?? .networkOnly
        guard policy != .networkOnly else { return nil }
        request.cache?.policy = .localOnly
        guard let response = try? network.session.send(request), case .kept(let age) = response.origin,
            policy != .networkThenLocal || age < request.cache?.freshFor ?? 0
        else { return nil }
        return response
    }

    /// - Parameters:
    ///   - isTrial: whether the key is only tried: the answer is not kept, and no kept one would do.
    ///   - givesRefusals: whether an answer that refuses the request itself, not the key or the quota, is given as it is.
    func send(
        _ call: YouTubeCall, _ access: YouTubeAccess, isTrial: Bool = false, givesRefusals: Bool = false
    ) throws(ServiceError) -> YouTubeReply {
        let bucket = bucket(call.bucket, access)
        let response: WebResponse
        do throws(WebError) {
            var request = request(call, access)
            if isTrial { request.cache = nil }
            response = try network.session.send(request)
        } catch {
            throw failure(error)
        }
        func error(_ status: Int) -> ServiceError {
            let quota = network.ledger.status(bucket)
            return YouTubeAnswer.error(
                status, response.body, redact: access.key.redacted, wait: response.retryAfter(now: Clock.now()),
                from: access.origin, bucket: bucket.name,
                limit: quota?.limit, resets: quota?.resets)
        }
        switch response.origin {
        case .network:
            guard response.status == 200 else {
                let error = error(response.status)
                guard givesRefusals else { throw error }
                switch error.plain {
                case .refused, .notThere:
                    return YouTubeReply(response: redacted(response, access), isKept: false, method: call.method)
                default: throw error
                }
            }
            return YouTubeReply(response: response, isKept: false, method: call.method)
        case .confirmed: return YouTubeReply(response: response, isKept: false, method: call.method)
        case .kept: return YouTubeReply(response: response, isKept: true, method: call.method)
        case .fallback(let age, let failed):
            let reason = failure(failed)
            if network.settings.isFresh { throw reason }
            return YouTubeReply(
                response: response, isKept: true, method: call.method, fallback: .init(age: age, reason: reason))
        case .fallbackAfter(let age, let status):
            // Its body is the old answer's, so what the service said is known by the status alone.
            let quota = network.ledger.status(bucket)
            let reason: ServiceError =
                quota?.isExhausted == true
                ? .quotaSpent(service: name, bucket: bucket.name, limit: quota?.limit, resets: quota?.resets)
                : status == 200
                    ? .badAnswer(service: name, method: call.method, reason: "it is not what was asked for")
                    : status == 429 || status == 403
                        ? .tooFast(service: name, status: status, wait: nil)
                        : .unavailable(service: name, status: status)
            if network.settings.isFresh { throw reason }
            return YouTubeReply(
                response: response, isKept: true, method: call.method, fallback: .init(age: age, reason: reason))
        }
    }

    /// Without the key, should the service have sent it back.
    private func redacted(_ response: WebResponse, _ access: YouTubeAccess) -> WebResponse {
        var response = response
        response.body = Array(access.key.redacted(String(decoding: response.body, as: UTF8.self)).utf8)
        response.headers = WebHeaders(
            response.headers.all.map { WebHeader($0.name, access.key.redacted($0.value)) })
        return response
    }

    private func failure(_ error: WebError) -> ServiceError {
        switch error {
        case .quotaSpent(let bucket, let status):
            .quotaSpent(service: name, bucket: bucket.name, limit: status.limit, resets: status.resets)
        case .notKept: .offline(service: name)
        default: .unreachable(service: name, error)
        }
    }

    // MARK: Feeds

    /// What a feed tells, where there is no key at all; nil where there is one.
    func feed(_ reference: YouTubeReference) throws(ServiceError) -> SearchPage? {
        guard let item = try feedItem(reference) else { return nil }
        return try readFeed(item)
    }

    /// The request that `feed` would make; nil where there is a key.
    func feedPlan(_ question: LookUp) throws(ServiceError) -> PlannedCalls? {
        let reference: YouTubeReference
        switch question {
        case .videos: return nil
        case .channel(let text), .uploads(let text):
            reference = try YouTubeReference.channel(text, for: question.kind)
        case .playlist(let text), .items(let text):
            reference = .playlist(try YouTubeReference.playlist(text, for: question.kind))
        }
        guard let item = try feedItem(reference) else { return nil }
        var request = try feedRequest(item)
        var isKept = false
        if let policy = request.cache?.policy, policy != .networkOnly {
            request.cache?.policy = .localOnly
            let kept = try? network.session.send(request)
            if case .kept(let age)? = kept?.origin {
                isKept = policy != .networkThenLocal || age < request.cache?.freshFor ?? 0
            }
        }
        return PlannedCalls(method: "feed", count: isKept ? 0 : 1, kept: isKept ? 1 : 0, detail: item)
    }

    /// What names a feed in its address, where there is no key at all; nil where there is one.
    private func feedItem(_ reference: YouTubeReference) throws(ServiceError) -> String? {
        do throws(ServiceError) {
            _ = try access()
            return nil
        } catch {
            guard case .noKey(_, let lack) = error, lack == .none || isElsewhere(lack) else { throw error }
            switch reference {
            case .channel(let id): return "channel_id=\(id)"
            case .playlist(let id): return "playlist_id=\(Escape.url(id))"
            case .user(let name): return "user=\(Escape.url(name))"
            // Handles have no feed, and a bare name may be one.
            case .handle, .name: throw error
            }
        }
    }

    private func isElsewhere(_ lack: KeyLack) -> Bool { if case .elsewhere = lack { true } else { false } }

    private func feedRequest(_ item: String) throws(ServiceError) -> WebRequest {
        let (base, isSet) = try base()
        var address = WebAddress(scheme: "https", host: "www.youtube.com", path: "/feeds/videos.xml", query: item)
        if isSet {
            address.scheme = base.scheme
            address.host = base.host
            address.port = base.port
        }
        var request = WebRequest(.get, address)
        request.target = isSet ? .trusted : .open(except: [])
        request.largestBody = 8 << 20
        request.retry.judge = FeedValidation.judge
        request.allowsPartialBody = true
        request.cache = network.cacheUse(space: "\(name)/feeds", freshFor: freshFor)
        return request
    }

    private func readFeed(_ item: String) throws(ServiceError) -> SearchPage {
        let request = try feedRequest(item)
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch { throw failure(error) }
        guard response.status == 200 else {
            // It answers 404 to channels that are there when it is out of order, which it often is.
            throw response.status >= 500 || response.status == 429
                ? .unavailable(
                    service: name, status: response.status, wait: response.retryAfter(now: Clock.now()))
                : .notThere(
                    service: name, status: response.status, reason: nil,
                    message:
                        "no feed is at \(request.address.path)?\(item); YouTube also says so while its feeds are out of order"
                )
        }
        var page = SearchPage(body: response.body, format: "feed", calls: 0)
        page.kept = response.attempts == 0 ? 1 : 0
        switch response.origin {
        case .fallback(let age, let error): page.fallback = .init(age: age, reason: failure(error))
        case .fallbackAfter(let age, 200):
            page.fallback = .init(
                age: age, reason: .badAnswer(service: name, reason: "it is no feed, or none to its end"))
        case .fallbackAfter(let age, let status):
            page.fallback = .init(age: age, reason: .unavailable(service: name, status: status, wait: nil))
        case .network, .confirmed, .kept: break
        }
        return page
    }
}
