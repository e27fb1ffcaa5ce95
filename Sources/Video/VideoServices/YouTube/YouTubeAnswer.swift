// What the service's answers mean: what is in a page beside its records, and what each kind of refusal is. What is easily
// got wrong: a daily quota that is used up may come as 403 or as 429, and 429 may also mean to slow down; texts are not
// stable, so they decide only where nothing else tells (https://developers.google.com/youtube/v3/docs/errors).

import Basics
import JSON
import VideoFormats
import WebClient

enum YouTubeAnswer {
    private static let service = YouTubeService.name

    /// What is told beside the records.
    struct Envelope {
        var next: String?
        var previous: String?
        var estimate: Int?
        var count: Int
    }

    /// - Parameter method: the call that it answers, for an error.
    /// - Throws: `badAnswer` when the body is no reply of the service.
    static func envelope(_ body: [UInt8], of method: String? = nil) throws(ServiceError) -> Envelope {
        let row: JSONRow
        do throws(JSONError) { row = try JSONBatch.document(JSON.withoutMark(body))[0] } catch {
            throw .badAnswer(service: service, method: method, reason: "\(error)")
        }
        let items = row.row(at: "items")
        let kind = row.value(at: "kind").text
        guard row.kind == .object, items?.kind == .array || items == nil && kind?.hasPrefix("youtube#") == true else {
            throw .badAnswer(service: service, method: method, reason: "it has no list of items")
        }
        // An estimate that is at its cap says nothing.
        let estimate = row.value(at: "pageInfo.totalResults").integer.flatMap { $0 < 1_000_000 ? Int($0) : nil }
        func token(_ name: JSONPath) -> String? { row.value(at: name).text.flatMap { $0.isEmpty ? nil : $0 } }
        return Envelope(
            next: token("nextPageToken"), previous: token("prevPageToken"), estimate: estimate,
            count: items?.elements.count ?? 0)
    }

    // MARK: Refusals

    /// What an answer with an error's status means. `bucket` and `resets` are of the quota it was counted in; `redact`
    /// takes secrets out of what the service says.
    static func error(
        _ status: Int, _ body: [UInt8], redact: (String) -> String = { $0 }, wait: Int64?, from origin: KeyOrigin,
        bucket: String, limit: Int?,
        resets: Int64?
    ) -> ServiceError {
        let refusal = refusal(body)
        // An answer without words is told by its meaning alone; those of the last two are in the error itself.
        let words = ServiceErrorDetails(
            status: refusal == nil ? nil : status, code: refusal?.detail ?? refusal?.reason,
            forDevelopers: (refusal?.message).map(redact))
        switch fault(status, refusal) {
        case .key(let fault): return .keyRefused(service: service, fault, from: origin).told(words)
        case .exhausted: return .quotaSpent(service: service, bucket: bucket, limit: limit, resets: resets).told(words)
        case .tooFast: return .tooFast(service: service, status: status, wait: wait).told(words)
        case .unavailable: return .unavailable(service: service, status: status, wait: wait).told(words)
        case .notThere:
            return .notThere(
                service: service, status: status, reason: refusal?.reason,
                message: (refusal?.message).map(redact) ?? "there is nothing at that address")
        case .refused:
            return .refused(
                service: service, status: status, reason: refusal?.reason, parameter: refusal?.location,
                message: (refusal?.message).map(redact) ?? "status \(status)")
        }
    }

    /// Whether asking again makes sense. What is no list of the service's is a page of a proxy, say: it is not kept, and
    /// not asked for again, since the service may have counted the call.
    static func verdict(_ response: WebResponse) -> WebVerdict {
        if response.status == 200 { return (try? envelope(response.body)) != nil ? .final : .unusable }
        return verdictOfAny(response)
    }

    /// The same, whatever a plugin asked for.
    static func verdictOfAny(_ response: WebResponse) -> WebVerdict {
        switch response.status {
        case 200: return isWhole(JSON.withoutMark(response.body)) ? .final : .unusable
        case 304: return .final
        default:
            switch fault(response.status, refusal(response.body)) {
            case .exhausted: return .exhausted
            case .tooFast, .unavailable: return .passing
            case .key, .notThere, .refused: return .final
            }
        }
    }

    /// Whether a body can be a reply at all.
    private static func isWhole(_ body: [UInt8]) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
        return body.first { !isBlank($0) } == UInt8(ascii: "{") && body.last { !isBlank($0) } == UInt8(ascii: "}")
    }

    private enum Fault {
        case key(KeyFault)
        case exhausted, tooFast, unavailable, notThere, refused
    }

    private static func refusal(_ body: [UInt8]) -> ServiceRefusal? {
        do throws(FormatError) {
            _ = try RecordReader.read(body, as: service)
        } catch {
            if case .refused(let refusal) = error { return refusal }
        }
        return nil
    }

    private static let restricted: Set<String> = [
        "ipRefererBlocked", "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_SERVICE_BLOCKED",
        "API_KEY_ANDROID_APP_BLOCKED", "API_KEY_IOS_APP_BLOCKED",
    ]

    private static func fault(_ status: Int, _ refusal: ServiceRefusal?) -> Fault {
        let reason = refusal?.reason ?? ""
        let detail = refusal?.detail ?? ""
        let message = refusal?.message.lowercased() ?? ""
        if detail == "API_KEY_INVALID" || detail == "API_KEY_EXPIRED" || reason == "keyInvalid"
            || reason == "keyExpired"
        {
            return .key(.invalid)
        }
        // Older replies to a bad key say so in words alone.
        if status == 400, reason == "badRequest", message.hasPrefix("api key ") { return .key(.invalid) }
        if detail == "SERVICE_DISABLED" || reason == "accessNotConfigured" { return .key(.disabled) }
        if restricted.contains(detail) || restricted.contains(reason) { return .key(.restricted) }
        switch status {
        case 401: return .key(.notSeen)
        case 403, 429:
            if ["quotaExceeded", "dailyLimitExceeded"].contains(reason) { return .exhausted }
            let isRate = ["rateLimitExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED"].contains(reason)
            if isRate || status == 429 { return contains(message, "per day") ? .exhausted : .tooFast }
            if reason == "forbidden", refusal?.domain == "global" { return .key(.notSeen) }
            return .notThere
        case 404, 410: return .notThere
        case 408, 500...: return .unavailable
        default: return .refused
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}
