// What services that answer over HTTP share: an address that the user may set, answers that are kept, failures as
// `ServiceError`. What is easily got wrong: an address that the user set may be anywhere, and no other may lead to a
// private machine.

import Basics
import Threads
import WebClient

/// Where a service is, and how it is asked there.
struct ServiceSite: Sendable {
    let service: String
    /// The environment variable that sets another address.
    var variable: String
    let usual: WebAddress
    let network: Network
    /// Seconds for which an answer is as good as a new one, and after which it is deleted.
    var freshFor: Int64 = 3600
    var keptFor: Int64 = 30 * 86_400
    /// What an answer means for asking again.
    var judge: @Sendable (WebResponse) -> WebVerdict = WebRetry.byStatus
    /// What the service itself says in an answer that is a refusal; nil when it says nothing.
    var refusal: @Sendable (WebResponse) -> ServiceErrorDetails? = { _ in nil }
    /// What an answer of another status than 200 means, where the service knows better than the status does.
    var meaning: @Sendable (WebResponse) -> ServiceError? = { _ in nil }

    /// A GET below the service's address.
    struct Call {
        /// Steps of the path, as they are meant.
        var path: [String]
        /// Names and values, in their order, so that the same question has the same address.
        var query: [(name: String, value: String)] = []
        var headers: [WebHeader] = []
        /// Keys and tokens: they are in no address, and no error has them.
        var secretHeaders: [SecretField] = []
        /// A fingerprint of the account whose answers these are; nil for what anybody is told.
        var account: String?
        /// What it costs; nil where nobody counts.
        var charge: WebCharge?
        /// nil for the way of the run.
        var policy: CachePolicy?
        var stores = true

        init(_ path: String...) { self.path = path }
        init(_ path: [String]) { self.path = path }

        mutating func add(_ name: String, _ value: String) { query.append((name, value)) }
    }

    /// What came of it: an answer of status 200.
    struct Answer {
        var response: WebResponse
        /// Whether it is a kept one that nobody was asked for.
        var isKept: Bool
        var fallback: SearchPage.Fallback?
    }

    /// The address that calls go below, and whether the user set it.
    func address() throws(ServiceError) -> (WebAddress, isSet: Bool) {
        guard let text = setting else { return (usual, false) }
        guard var base = WebAddress(text), base.scheme == "https" || base.scheme == "http",
            base.host?.isEmpty == false, base.userInformation == nil, base.query == nil, base.fragment == nil
        else { throw .badAddress(service: service, variable: variable) }
        while base.path.hasSuffix("/") { base.path.removeLast() }
        return (base, true)
    }

    /// What the variable says; nil when it is not set, or blank.
    var setting: String? {
        guard let text = network.settings.variable(variable) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The number that a page goes by, which a plugin may have made up.
    func number(of page: String?, first: Int) throws(ServiceError) -> Int {
        guard let page else { return first }
        guard let number = Int(page), (first...1_000_000_000).contains(number) else {
            throw .badRequest(service: service, reason: "'\(page)' names no page")
        }
        return number
    }

    func request(_ call: Call) throws(ServiceError) -> WebRequest {
        var (address, isSet) = try address()
        for step in call.path { address.path += "/" + Self.escaped(step) }
        if address.path.isEmpty { address.path = "/" }
        if !call.query.isEmpty {
            address.query = call.query.map { "\(Escape.url($0.name))=\(Escape.url($0.value))" }.joined(separator: "&")
        }
        var request = WebRequest(.get, address)
        request.headers = call.headers
        request.secretHeaders = call.secretHeaders
        request.target = isSet ? .trusted : .open(except: [])
        request.retry.judge = judge
        request.charge = call.charge
        var use = network.cacheUse(
            space: call.account.map { "\(service)/\($0)" } ?? service, policy: call.policy, freshFor: freshFor)
        use.stores = call.stores
        use.keptFor = keptFor
        request.cache = use
        return request
    }

    /// A step of a path. A colon may stand in one as it is (RFC 3986, 3.3), and some services look for it.
    private static func escaped(_ step: String) -> String {
        step.split(separator: ":", omittingEmptySubsequences: false).map { Escape.url(String($0)) }
            .joined(separator: ":")
    }

    /// A kept answer that would be given without asking; nil when there is none.
    func kept(_ call: Call) -> WebResponse? {
        guard var request = try? request(call), let use = request.cache, use.policy != .networkOnly else { return nil }
        request.cache?.policy = .localOnly
        guard let response = try? network.session.send(request), case .kept(let age) = response.origin,
            use.policy != .networkThenLocal || age < use.freshFor
        else { return nil }
        return response
    }

    /// Sends a call.
    ///
    /// - Throws: what an answer of another status than 200 means, or why there is none.
    func send(_ call: Call) throws(ServiceError) -> Answer {
        let request = try request(call)
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch { throw failure(error) }
        switch response.origin {
        case .network:
            if let error = failure(response) { throw error }
            return Answer(response: response, isKept: false)
        case .confirmed: return Answer(response: response, isKept: false)
        case .kept: return Answer(response: response, isKept: true)
        case .fallback(let age, let error):
            return try fallback(response, age, failure(error))
        case .fallbackAfter(let age, let status):
            // Its body is the old answer's, so what the service said is known by the status alone.
            let said = WebResponse(status: status, address: response.address)
            let reason =
                status == 200
                ? .badAnswer(service: service, reason: "it is not what was asked for")
                : failure(said) ?? .unavailable(service: service, status: status)
            return try fallback(response, age, reason)
        }
    }

    private func fallback(
        _ response: WebResponse, _ age: Int64, _ reason: ServiceError
    ) throws(ServiceError) -> Answer {
        if network.settings.isFresh { throw reason }
        return Answer(response: response, isKept: true, fallback: .init(age: age, reason: reason))
    }

    /// What an answer means that is not what was asked for; nil for one that is.
    func failure(_ response: WebResponse) -> ServiceError? {
        let status = response.status
        if status == 200 { return nil }
        if let error = meaning(response) { return error }
        let words = refusal(response)
        let meaning = failure(status, response, words)
        return words.map(meaning.told) ?? meaning
    }

    private func failure(_ status: Int, _ response: WebResponse, _ words: ServiceErrorDetails?) -> ServiceError {
        let message = words?.forUsers ?? words?.forDevelopers
        switch status {
        // 202 is what some answer to whom they take for a robot.
        case 202, 429: return .tooFast(service: service, status: status, wait: response.retryAfter(now: Clock.now()))
        case 404, 410:
            return .notThere(
                service: service, status: status, reason: words?.code, message: message ?? "there is no such thing")
        case 500...: return .unavailable(service: service, status: status)
        default:
            return .refused(
                service: service, status: status, reason: words?.code, parameter: nil,
                message: message ?? "it does not say why")
        }
    }

    func failure(_ error: WebError) -> ServiceError {
        switch error {
        case .quotaSpent(let bucket, let status):
            .quotaSpent(service: service, bucket: bucket.name, limit: status.limit, resets: status.resets)
        case .notKept: .offline(service: service)
        default: .unreachable(service: service, error)
        }
    }
}

extension SearchPage {
    /// A service's answer as a page.
    init(_ answer: ServiceSite.Answer, format: String, next: String? = nil, estimate: Int? = nil) {
        self.init(
            body: answer.response.body, format: format, next: next, estimate: estimate, calls: answer.response.attempts)
        kept = answer.isKept ? 1 : 0
        fallback = answer.fallback
    }
}
