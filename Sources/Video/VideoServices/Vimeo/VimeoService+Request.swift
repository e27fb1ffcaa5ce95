// Reads of Vimeo's API that plugins make themselves.

import JSON
import WebClient

extension VimeoService {
    /// What a plugin may not set: secrets, and what makes a GET something else.
    private static let reserved: Set = ["access_token", "client_id", "client_secret", "_method", "callback"]

    /// Sends a GET with the token. What refuses the request itself is given as it is.
    public func request(_ request: ServiceRequest) throws(ServiceError) -> ServiceAnswer {
        let access = try access()
        let call = try call(request)
        let site = site(access)
        var sent = try site.request(authorized(call, access))
        if let seconds = request.timeout { sent.deadlines.total = seconds }
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(sent) } catch { throw site.failure(error) }
        return try answer(response, access, site)
    }

    /// The same, telling every step as `WebSession.send(_:each:)` does: `network-then-local` tells a failure before what
    /// is kept, `local-then-network` what is kept, or `offline`, before what the service says. The last call has
    /// `isFinal`, and all come before this returns.
    public func request(
        _ request: ServiceRequest, each take: (Result<ServiceAnswer, ServiceError>, _ isFinal: Bool) -> Void
    ) {
        let (access, site, sent): (VimeoAccess, ServiceSite, WebRequest)
        do throws(ServiceError) {
            access = try self.access()
            site = self.site(access)
            var made = try site.request(authorized(try call(request), access))
            if let seconds = request.timeout { made.deadlines.total = seconds }
            sent = made
        } catch { return take(.failure(error), true) }
        network.session.send(sent) { result, isFinal in
            switch result {
            case .failure(let error): take(.failure(site.failure(error)), isFinal)
            case .success(let response):
                take(Result { () throws(ServiceError) in try answer(response, access, site) }, isFinal)
            }
        }
    }

    public func plan(_ request: ServiceRequest) throws(ServiceError) -> [PlannedCalls] {
        [plan(one: try call(request), try access())]
    }

    private func answer(
        _ response: WebResponse, _ access: VimeoAccess, _ site: ServiceSite
    ) throws(ServiceError) -> ServiceAnswer {
        var fallback: SearchPage.Fallback?
        switch response.origin {
        case .network:
            switch site.failure(response)?.plain {
            case nil, .refused, .notThere: break
            case .some(let error): throw site.failure(response) ?? error
            }
        case .confirmed, .kept: break
        case .fallback(let age, let error): fallback = .init(age: age, reason: site.failure(error))
        case .fallbackAfter(let age, let status):
            let said = WebResponse(status: status, address: response.address)
            let reason = site.failure(said) ?? .unavailable(service: name, status: status)
            fallback = .init(age: age, reason: reason)
        }
        if let fallback, network.settings.isFresh { throw fallback.reason }
        return ServiceAnswer(
            response: redacted(response, access), calls: response.attempts, fallback: fallback)
    }

    private func call(_ request: ServiceRequest) throws(ServiceError) -> ServiceSite.Call {
        var request = request
        // As the service itself writes them.
        if request.path.hasPrefix("/") { request.path.removeFirst() }
        guard let segments = request.segments else {
            throw .badRequest(
                service: name,
                reason: "the path is '\(request.path)'; it goes below the API's address, such as me/videos")
        }
        // A server may take either case for the same.
        if ["oauth", "tokens"].contains(segments[0].lowercased()) {
            throw .badRequest(
                service: name, reason: "what is below /\(segments[0]) is about tokens, and not a plugin's")
        }
        if let item = request.query.first(where: { Self.reserved.contains($0.name.lowercased()) || $0.name.isEmpty }) {
            throw .badRequest(service: name, reason: "the parameter '\(item.name)' is not a plugin's to set")
        }
        var call = ServiceSite.Call(segments)
        call.policy = request.policy
        call.stores = request.stores
        for item in request.query { call.add(item.name, item.value) }
        return call
    }

    /// Without the token, should the service have sent it back.
    private func redacted(_ response: WebResponse, _ access: VimeoAccess) -> WebResponse {
        var response = response
        let body = JSON.withoutMark(response.body)
        let text = String(decoding: body, as: UTF8.self)
        let shown = access.token.redacted(text)
        response.body = shown == text ? body : Array(shown.utf8)
        response.headers = WebHeaders(response.headers.all.map { WebHeader($0.name, access.token.redacted($0.value)) })
        return response
    }
}
