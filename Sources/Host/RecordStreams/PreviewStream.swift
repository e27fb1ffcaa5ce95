// Previews. A page is fetched and read, and if it names an oEmbed provider, that is requested too. Trap: the page is
// untrusted, so the second address needs a grant as the first did.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices
import WebClient

/// One preview in progress: its next request and its outcome.
package final class PreviewJob {
    /// The requested address.
    package let address: WebAddress
    private let origin: Int?
    private let isOEmbedWanted: Bool
    private let change: (inout HTTPRequest) -> Void
    /// The next request; nil once there is an outcome.
    package private(set) var wanted: GateRequest?
    private var page: PagePreview?
    /// The oEmbed address that the page names.
    private var provider: WebAddress?
    package private(set) var record: Video?
    /// Why there is no record.
    package private(set) var failure: HostError?
    /// Messages for the user.
    package private(set) var remarks: [String] = []

    /// - Parameters:
    ///   - origin: its index in the run's own list; nil for an address from a plugin.
    ///   - oembed: whether to request an oEmbed provider that the page names.
    ///   - change: applies the plugin's request options.
    package init(
        _ address: WebAddress, origin: Int? = nil, oembed: Bool,
        _ change: @escaping (inout HTTPRequest) -> Void = { _ in }
    ) {
        self.address = address
        self.origin = origin
        isOEmbedWanted = oembed
        self.change = change
        wanted = .http(request(address, .page))
    }

    private func request(_ address: WebAddress, _ purpose: HTTPRequest.Purpose) -> HTTPRequest {
        var request = HTTPRequest(address)
        change(&request)
        request.purpose = purpose
        request.origin = origin
        return request
    }

    /// Handles the reply to `wanted`.
    package func take(_ reply: Result<GateReply, HostError>) {
        wanted = nil
        if let page { return finish(page, with: reply) }
        do throws(HostError) { try read(try reply.get()) } catch { failure = error }
    }

    private func read(_ reply: GateReply) throws(HostError) {
        // There is no reply in a dry run.
        guard case .answer(let response, _, let remark) = reply else { return }
        if let remark { remarks.append("\(address): \(remark)") }
        if let failure = failure(response) { throw .service(failure) }
        let base = response.address.description
        if let picture = picture(response, base) {
            try settle(picture)
            return
        }
        // An oEmbed reply itself has the fields that a page would have.
        if response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
            let reply = OEmbedReader.read(response.body, isAnnounced: false)
        {
            try settle(reply)
            return
        }
        let page: PagePreview
        do throws(FormatError) {
            page = try PagePreview(response.body, base: base, charset: response.charset)
        } catch {
            throw .service(.badAnswer(service: "web", reason: "\(address): " + reason(error, response)))
        }
        guard isOEmbedWanted, let text = page.oembed ?? response.linkedOEmbed,
            let embed = WebAddress(text), HostPattern(embed) != nil, embed.userInformation == nil
        else {
            try settle(page.record())
            return
        }
        self.page = page
        provider = embed
        wanted = .http(request(embed, .oembed))
    }

    /// A missing or unreadable oEmbed reply loses only its own fields.
    private func finish(_ page: PagePreview, with reply: Result<GateReply, HostError>) {
        var embed: Video?
        switch reply {
        case .success(.answer(let response, _, _)) where response.status == 200:
            embed = OEmbedReader.read(response.body, charset: response.charset)
            if embed == nil { remarks.append("\(address): what its oEmbed provider says cannot be read") }
        case .success(.answer(let response, _, _)):
            remarks.append("\(address): its oEmbed provider answers with status \(response.status)")
        case .success: break
        case .failure(let error):
            if error.isFinal {
                failure = error
                return
            }
            remarks.append("\(address): its oEmbed provider " + refusal(error))
        }
        do throws(HostError) { try settle(page.record(with: embed)) } catch { failure = error }
    }

    /// Why the provider was not requested. The page may name any host, so another site needs a grant.
    private func refusal(_ error: HostError) -> String {
        guard error.report?.kind == "grant", let provider else { return "is not asked: \(error)" }
        let grant = Grant.net(provider)
        return "is at another site and is not asked; --allow \(grant) asks it"
    }

    private func settle(_ record: Video?) throws(HostError) {
        guard var record else {
            throw .service(.badAnswer(service: "web", reason: "\(address): the page says nothing about itself"))
        }
        let origin: [FieldValue.Member] = [.init("source", .text("web")), .init("query", .text(address.description))]
        record[.foundIn] = .list([.record(origin)])
        self.record = record
    }

    private func failure(_ response: WebResponse) -> ServiceError? {
        switch response.status {
        case 200..<300: nil
        case 429: .tooFast(service: address.host ?? "web", status: 429, wait: nil)
        case 500...: .unavailable(service: address.host ?? "web", status: response.status)
        case let status:
            .notThere(service: "web", status: status, reason: nil, message: "no page can be had at \(address)")
        }
    }

    private func reason(_ error: FormatError, _ response: WebResponse) -> String {
        guard case .unrecognised = error else { return "\(error)" }
        if response.body.isEmpty { return "it is empty" }
        if FeedReader.begins(response.body), response.body.first != UInt8(ascii: "{") {
            return "it is a feed, and no page; --from feed:\(address) reads it"
        }
        let type = response.mediaType.map { " but \(Text.clean($0))" } ?? ""
        return "it is no page\(type)"
    }

    /// An image is its own preview.
    private func picture(_ response: WebResponse, _ base: String) -> Video? {
        guard let type = response.mediaType, type.hasPrefix("image/") else { return nil }
        let name = response.address.pathSegments.last { !$0.isEmpty } ?? response.address.host ?? base
        return Video(
            [
                .provider: .text("web"), .id: .text(base), .kind: .text("page"), .url: .text(base), .title: .text(name),
                .thumbnails: .record([.init("default", .record([.init("url", .text(base))]))]),
            ], extra: [.init("site", FieldValue(response.address.host)), .init("type", .text(type))])
    }
}

/// Previews of several pages in order, all fetched concurrently.
package final class PreviewsStream: RecordStream {
    private final class Slot {
        let job: PreviewJob
        var errand: PendingRequest?
        init(_ job: PreviewJob) { self.job = job }
    }

    /// Maximum number of requests started ahead of their turn.
    private static let mostAhead = 32

    private let slots: [Slot]
    private unowned let gate: any Gate
    private var place = 0
    private var begun = 0
    private var given = 0
    private var failed = 0
    private var first: HostError?

    package init(_ jobs: [PreviewJob], gate: any Gate) {
        slots = jobs.map(Slot.init)
        self.gate = gate
    }

    package func begin() throws(HostError) -> PendingRequest? {
        start()
        return place < slots.count ? slots[place].errand : nil
    }

    /// Starts the jobs that are near their turn.
    private func start() {
        while begun < slots.count, begun < place + Self.mostAhead {
            proceed(slots[begun])
            begun += 1
        }
    }

    private func proceed(_ slot: Slot) {
        slot.errand = nil
        while let wanted = slot.job.wanted {
            do throws(HostError) {
                slot.errand = try PendingRequest(wanted, for: nil, at: gate)
                return
            } catch { slot.job.take(.failure(error)) }
        }
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while place < slots.count {
            start()
            let slot = slots[place]
            while slot.errand != nil { waitForAny() }
            place += 1
            for remark in slot.job.remarks { _ = try? gate.ask(.log(.warning, remark)) }
            if let record = slot.job.record {
                given += 1
                return [record]
            }
            if let failure = slot.job.failure { try note(failure, slot.job.address) }
        }
        if let first, failed == slots.count {
            self.first = nil
            // Each failure was already reported.
            guard slots.count > 1, var report = first.report else { throw first }
            report.message = "none of these \(failed) pages could be had"
            throw .reported(report)
        }
        return nil
    }

    /// Waits for the first finished job, in any order, so that its next request starts at once.
    private func waitForAny() {
        let waiting = slots[place..<begun].filter { $0.errand != nil }
        guard let index = PendingRequest.first(of: waiting.compactMap(\.errand)) else { return }
        let slot = waiting[index]
        slot.job.take(Result { () throws(HostError) in try slot.errand?.reply() ?? .done })
        proceed(slot)
    }

    private func note(_ failure: HostError, _ address: WebAddress) throws(HostError) {
        if failure.isFinal { throw failure }
        failed += 1
        if first == nil { first = failure }
        // The failure of a single page is the error of the run.
        guard slots.count > 1 else { return }
        let text = failure.description
        let line = text.mentions(address.description) ? "left out: \(text)" : "left out \(address): \(text)"
        _ = try? gate.ask(.log(.warning, line))
    }

    package var info: [FieldValue.Member] {
        [
            .init("source", .text("web")), .init("rows", .integer(Int64(given))),
            .init("failed", .integer(Int64(failed))),
        ]
    }
}

extension WebResponse {
    /// The media type such as `text/html`, in lower case; nil if the header is missing.
    fileprivate var mediaType: String? {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return type?.isEmpty == false ? type : nil
    }

    /// The oEmbed JSON address in a Link header (RFC 8288), which some servers send.
    fileprivate var linkedOEmbed: String? {
        for header in headers.all where header.name.lowercased() == "link" {
            for link in header.value.split(separator: ",") where link.lowercased().mentions("+oembed") {
                guard let open = link.firstIndex(of: "<"), let close = link[open...].firstIndex(of: ">") else {
                    continue
                }
                let reference = String(link[link.index(after: open)..<close])
                if let found = WebAddress.resolve(reference, against: address.description) { return found }
            }
        }
        return nil
    }
}
