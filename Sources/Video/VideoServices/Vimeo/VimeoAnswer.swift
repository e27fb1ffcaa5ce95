// What Vimeo's answers mean: what is in a page beside its records, and what each kind of refusal is. What is easily got
// wrong: a page that leads back to itself or before is the last one, and a page beyond the last is an error (2286).

import Basics
import JSON
import Threads
import WebClient

enum VimeoAnswer {
    private static let service = VimeoService.name

    /// What is told beside the records.
    struct Envelope {
        /// Numbers of pages.
        var next: Int?
        var previous: Int?
        var first: Int?
        var last: Int?
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
            first: number("paging.first"), last: number("paging.last"),
            total: row.value(at: "total").integer.flatMap { Int(exactly: $0) })
    }

    // MARK: Refusals

    /// What an error's answer says.
    ///
    /// - Parameter redact: takes secrets out of it.
    static func words(_ response: WebResponse, redact: (String) -> String) -> ServiceErrorDetails {
        let row = try? JSONBatch.document(JSON.withoutMark(response.body))[0]
        func text(_ row: JSONRow?, _ path: JSONPath) -> String? {
            row?.value(at: path).text.flatMap { $0.isEmpty ? nil : redact(Text.clean($0)) }
        }
        func code(_ row: JSONRow?) -> String? { (row?.value(at: "error_code").integer).map { "\($0)" } }
        // OAuth has a word and a description.
        return ServiceErrorDetails(
            status: response.status,
            code: code(row) ?? response.headers["Vimeo-Error-Code"].flatMap { Int($0) }.map { "\($0)" },
            forUsers: text(row, "error"),
            forDevelopers: text(row, "developer_message") ?? text(row, "error_description"),
            invalid: (row?.row(at: "invalid_parameters")?.elements ?? []).map { one in
                .init(
                    field: text(one, "field"), code: code(one), forUsers: text(one, "error"),
                    forDevelopers: text(one, "developer_message"))
            })
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
        let words = words(response, redact: redact)
        return meaning(response, words, origin).told(words)
    }

    private static func meaning(_ response: WebResponse, _ words: ServiceErrorDetails, _ origin: KeyOrigin)
        -> ServiceError
    {
        let status = response.status
        let message = words.sentences
        func refused() -> ServiceError {
            .refused(
                service: service, status: status, reason: words.code, parameter: words.fields,
                message: message ?? "it does not say why")
        }
        switch status {
        case 401:
            if saysInvalidToken(response) { return .keyRefused(service: service, .invalid, from: origin) }
            // 8003: nothing is wrong with the token but that it is nobody's.
            return .keyRefused(service: service, words.code == "8003" ? .needsUser : .refused, from: origin)
        case 403:
            if message?.lowercased().mentions("scope") == true {
                return .keyRefused(service: service, .lacksScope, from: origin)
            }
            // The number for all that is forbidden, which the words are about.
            if words.code == "1002" { return refused() }
            return .notThere(
                service: service, status: status, reason: words.code, message: message ?? "that is not to be seen")
        case 404, 410:
            return .notThere(
                service: service, status: status, reason: words.code, message: message ?? "there is no such thing")
        case 429:
            let (limit, resets) = window(response)
            if let resets {
                return .quotaSpent(service: service, bucket: VimeoService.bucket, limit: limit, resets: resets)
            }
            return .tooFast(service: service, status: status, wait: response.retryAfter(now: Clock.now()))
        case 500...:
            return .unavailable(
                service: service, status: status, wait: response.retryAfter(now: Clock.now()))
        default: return refused()
        }
    }

    /// The limit of a period, and when it is over, as an answer says it: not before now.
    private static func window(_ response: WebResponse) -> (limit: Int?, resets: Int64?) {
        let now = Clock.now()
        return (
            response.headers["X-RateLimit-Limit"].flatMap { Int($0) },
            response.headers["X-RateLimit-Reset"].flatMap { QuotaLedger.reset($0, now) }.flatMap {
                $0 > now ? $0 : nil
            }
        )
    }

    /// Whether asking again makes sense. A short wait that the service asks for is waited; that of a whole period is not.
    static let verdict: @Sendable (WebResponse) -> WebVerdict = { response in
        switch response.status {
        case 200:
            return JSON.withoutMark(response.body).first { $0 > 0x20 } == UInt8(ascii: "{") ? .final : .unusable
        case 429:
            if response.headers["Retry-After"] != nil || window(response).resets == nil { return .passing }
            return .exhausted
        default: return WebRetry.byStatus(response)
        }
    }
}
