// What Vimeo's answers mean: what is in a page beside its records, and what each kind of refusal is. What is easily got
// wrong: a page that leads back to itself or before is the last one, and a page beyond the last is an error (2286).

import Threads
import VideoFormats
import VideoModel
import WebClient

enum VimeoAnswer {
    private static let service = VimeoService.name

    /// What is told beside the records.
    struct Envelope {
        /// Numbers of pages.
        var next: Int?
        var previous: Int?
        var total: Int?
    }

    static func document(_ body: [UInt8]) throws(ServiceError) -> JSONRow {
        do throws(JSONError) { return try JSONBatch.document(JSON.withoutMark(body))[0] } catch {
            throw .badAnswer(service: service, reason: "\(error)")
        }
    }

    /// - Parameter page: the number of the page that was asked for.
    /// - Throws: `badAnswer` when the body is no page of a collection.
    static func envelope(_ body: [UInt8], page: Int) throws(ServiceError) -> Envelope {
        let row = try document(body)
        guard row.row(at: "data")?.kind == .array else {
            throw .badAnswer(service: service, reason: "it has no list of data")
        }
        func number(_ path: JSONPath) -> Int? {
            row.value(at: path).text.flatMap { WebAddress($0) }?.queryValue("page").flatMap { Int($0) }
                .flatMap { $0 > 0 ? $0 : nil }
        }
        return Envelope(
            next: number("paging.next").flatMap { $0 > page ? $0 : nil },
            previous: number("paging.previous").flatMap { $0 < page ? $0 : nil },
            total: row.value(at: "total").integer.flatMap { Int(exactly: $0) })
    }

    // MARK: Refusals

    /// What an error's body says. Any of it may be missing.
    struct Refusal {
        var code: Int?
        var message: String?
        /// Parameters that make no sense.
        var parameters: String?

        init(_ response: WebResponse) {
            let row = try? JSONBatch.document(JSON.withoutMark(response.body))[0]
            func text(_ path: JSONPath) -> String? {
                row?.value(at: path).text.flatMap { $0.isEmpty ? nil : Text.clean($0) }
            }
            code =
                (row?.value(at: "error_code").integer).flatMap { Int(exactly: $0) }
                ?? response.headers["Vimeo-Error-Code"].flatMap { Int($0) }
            // For people, for developers; OAuth has a word and a description.
            let words = [text("error"), text("developer_message") ?? text("error_description")].compactMap(\.self)
            var told: [String] = []
            for word in words where !told.contains(word) { told.append(word) }
            let invalid = row?.row(at: "invalid_parameters")?.elements ?? []
            for one in invalid {
                let what = one.value(at: "developer_message").text ?? one.value(at: "error").text
                if let what, !told.contains(Text.clean(what)) { told.append(Text.clean(what)) }
            }
            message = told.isEmpty ? nil : told.map(Self.sentence).joined(separator: " ")
            let names = invalid.compactMap { $0.value(at: "field").text }.map { Text.clean($0) }
            parameters = names.isEmpty ? nil : names.joined(separator: ", ")
        }

        private static func sentence(_ text: String) -> String {
            [".", "!", "?"].contains(text.last) ? text : text + "."
        }
    }

    /// The header that says that a token is none, or no longer one (RFC 6750, 3).
    static func saysInvalidToken(_ response: WebResponse) -> Bool {
        response.headers["WWW-Authenticate"]?.mentions("invalid_token") == true
    }

    /// What an answer of another status than 200 means.
    ///
    /// - Parameter redact: takes secrets out of what the service says.
    static func error(
        _ response: WebResponse, from origin: KeyOrigin, redact: (String) -> String
    ) -> ServiceError? {
        let refusal = Refusal(response)
        let status = response.status
        let reason = refusal.code.map(String.init)
        let message = refusal.message.map(redact)
        switch status {
        case 401:
            // 8003: nothing is wrong with the token but that it is nobody's.
            if refusal.code == 8003, !saysInvalidToken(response) {
                return .keyRefused(service: service, .needsUser, from: origin)
            }
            return .keyRefused(service: service, .invalid, from: origin)
        case 403:
            if refusal.code == 1002 || message?.lowercased().mentions("scope") == true {
                return .keyRefused(service: service, .lacksScope, from: origin)
            }
            return .notThere(
                service: service, status: status, reason: reason, message: message ?? "that is not to be seen")
        case 404, 410:
            return .notThere(
                service: service, status: status, reason: reason, message: message ?? "there is no such thing")
        case 429:
            let (limit, resets) = window(response)
            if let resets {
                return .quotaSpent(service: service, bucket: VimeoService.bucket, limit: limit, resets: resets)
            }
            return .tooFast(service: service, status: status, wait: response.retryAfter(now: Clock.now()))
        case 500...:
            return .unavailable(
                service: service, status: status, wait: response.retryAfter(now: Clock.now()))
        default:
            return .refused(
                service: service, status: status, reason: reason, parameter: refusal.parameters,
                message: message ?? "it does not say why")
        }
    }

    /// The limit of a period, and when it is over, as an answer says it.
    private static func window(_ response: WebResponse) -> (limit: Int?, resets: Int64?) {
        (
            response.headers["X-RateLimit-Limit"].flatMap { Int($0) },
            response.headers["X-RateLimit-Reset"].flatMap { QuotaLedger.reset($0, Clock.now()) }
        )
    }

    /// Whether asking again makes sense. A short wait that the service asks for is waited; that of a whole period is not.
    static let verdict: @Sendable (WebResponse) -> WebVerdict = { response in
        switch response.status {
        case 200:
            return JSON.withoutMark(response.body).first { $0 > 0x20 } == UInt8(ascii: "{") ? .final : .useless
        case 429:
            if response.headers["Retry-After"] != nil || window(response).resets == nil { return .passing }
            return .exhausted
        default: return WebRetry.byStatus(response)
        }
    }
}
