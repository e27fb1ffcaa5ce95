// Reads of the YouTube Data API that plugins make themselves.

import WebClient

extension YouTubeService {
    /// What a plugin may not set: secrets, and what makes the answer something else than JSON.
    private static let reserved: Set = [
        "key", "access_token", "oauth_token", "alt", "callback", "$.xgafv", "upload_protocol", "uploadType",
        "quotaUser", "prettyPrint",
    ]

    /// Sends a GET with the key. What it costs is known by its path
    /// (https://developers.google.com/youtube/v3/determine_quota_cost).
    public func request(_ request: ServiceRequest) throws(ServiceError) -> ServiceAnswer {
        let reply = try send(try call(request), try access(), givesRefusals: true)
        return ServiceAnswer(response: reply.response, calls: reply.response.attempts, fallback: reply.fallback)
    }

    public func plan(_ request: ServiceRequest) throws(ServiceError) -> [PlannedCalls] {
        let call = try call(request)
        let access = try access()
        let isKept = kept(call, access) != nil
        return [plan(call, access, count: isKept ? 0 : 1, kept: isKept ? 1 : 0)]
    }

    private func call(_ request: ServiceRequest) throws(ServiceError) -> YouTubeCall {
        guard let segments = request.segments else {
            throw .badRequest(
                service: name, reason: "the path is '\(request.path)'; it goes below /youtube/v3, such as videos")
        }
        if let item = request.query.first(where: { Self.reserved.contains($0.name) || $0.name.isEmpty }) {
            throw .badRequest(service: name, reason: "the parameter '\(item.name)' is not a plugin's to set")
        }
        let path = segments.joined(separator: "/")
        let bucket: YouTubeBucket = path == "search" ? .search : path == "videos:batchGetStats" ? .stats : .read
        var call = YouTubeCall(path, path, bucket)
        if segments[0] == "captions" { call.units = segments.count == 1 ? 50 : 200 }
        call.isList = false
        call.policy = request.policy
        call.stores = request.stores
        call.timeout = request.timeout
        for item in request.query { call.add(item.name, item.value) }
        return call
    }
}
