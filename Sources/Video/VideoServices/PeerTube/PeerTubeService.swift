// PeerTube: Sepia Search, which knows the videos of many servers, or one server that the user chose
// (https://docs.joinpeertube.org/api-rest-reference.html). No key. What is easily got wrong: only a server can look things
// up, and it is asked for what is on others, too: nothing that a record or a plugin names decides which host is asked.

import Basics
import JSON
import VideoModel
import WebClient

/// Searches the PeerTube network by an index of it, or one of its servers: `YTHOST_PEERTUBE_URL` names that, and
/// `YTHOST_PEERTUBE_INDEX` another index than Sepia Search.
public struct PeerTubeService: VideoService {
    public static let name = "peertube"
    public var name: String { Self.name }
    public let summary =
        "PeerTube's network by Sepia Search, or one server (YTHOST_PEERTUBE_URL); needs no key"

    private let site: ServiceSite
    /// Whether the index of many servers is asked, which can only search.
    private let isIndex: Bool

    public init(network: Network) {
        let sepia = WebAddress(scheme: "https", host: "sepiasearch.org")
        var site = ServiceSite(
            service: Self.name, variable: "YTHOST_PEERTUBE_URL", usual: sepia, network: network)
        // The index may be set, too: others run the same program.
        if site.setting == nil { site.variable = "YTHOST_PEERTUBE_INDEX" }
        isIndex = site.variable == "YTHOST_PEERTUBE_INDEX" || (try? site.address())?.0.isOfSite(sepia) == true
        site.judge = Self.verdict
        site.refusal = Self.refusal
        self.site = site
    }

    public var honoured: Set<SearchOption> { PeerTubeQuery.honoured }

    /// Sepia Search sorts in fewer ways than a server, and can be asked for everything.
    public var honouredValues: [SearchOption: [String]] { PeerTubeQuery.values(ofIndex: isIndex) }

    /// Rows of a page.
    static let pageSize = 50

    // MARK: Searching

    public func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        try check(query)
        let search = try PeerTubeQuery(query, ofIndex: isIndex)
        var call = ServiceSite.Call("api", "v1", "search", search.resource)
        call.query = search.parameters
        return try list(call, page)
    }

    private func list(_ call: ServiceSite.Call, _ page: String?) throws(ServiceError) -> SearchPage {
        var call = call
        let start = try site.number(of: page, first: 0)
        call.add("start", "\(start)")
        call.add("count", "\(Self.pageSize)")
        let answer = try site.send(call)
        let envelope = try Self.envelope(answer.response.body)
        let end = start + envelope.count
        let hasMore = envelope.count > 0 && envelope.total.map { end < $0 } ?? (envelope.count >= Self.pageSize)
        var result = SearchPage(
            answer, format: Self.name, next: hasMore ? "\(end)" : nil, estimate: envelope.total)
        if start > 0 { result.previous = "\(max(0, start - Self.pageSize))" }
        // Nobody counts, but a search without a limit is not meant to read a whole network.
        result.isCounted = true
        return result
    }

    // MARK: Looking up

    /// The index has nothing but its search.
    public var lookUps: Set<LookUp.Kind> { isIndex ? [] : Set(LookUp.Kind.allCases) }

    public func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        guard lookUps.contains(question.kind) else { throw .lookUpNotOffered(service: name, question.kind) }
        switch question {
        case .videos(let ids, _): return try videos(ids)
        case .channel(let text):
            return SearchPage(
                try site.send(ServiceSite.Call("api", "v1", "video-channels", try channel(text, .channel))),
                format: Self.name)
        case .playlist(let text):
            return SearchPage(
                try site.send(ServiceSite.Call("api", "v1", "video-playlists", try playlist(text, .playlist))),
                format: Self.name)
        case .uploads(let text):
            var call = ServiceSite.Call("api", "v1", "video-channels", try channel(text, .uploads), "videos")
            call.add("sort", "-publishedAt")
            return try list(call, page)
        case .items(let text):
            return try list(
                ServiceSite.Call("api", "v1", "video-playlists", try playlist(text, .items), "videos"), page)
        }
    }

    /// The API gives one at a time.
    private func videos(_ ids: [String]) throws(ServiceError) -> SearchPage {
        var result = SearchPage(body: [], format: Self.name)
        for text in ids {
            let id = try reference(text, .videos, [.video]) { $0.id }
            do throws(ServiceError) {
                let answer = try site.send(ServiceSite.Call("api", "v1", "videos", id))
                result.body += answer.response.body + [UInt8(ascii: "\n")]
                result.calls += answer.response.attempts
                if answer.isKept { result.kept += 1 }
                result.fallback = result.fallback ?? answer.fallback
            } catch {
                guard case .notThere = error.plain else { throw error }
                result.calls += 1
            }
        }
        return result
    }

    private func channel(_ text: String, _ kind: LookUp.Kind) throws(ServiceError) -> String {
        try reference(text, kind, [.channel]) { ref in
            // The server that is asked knows the channels of others by `name@host`.
            guard let host = ref.host, !ref.id.utf8.contains(UInt8(ascii: "@")), host != ownHost else { return ref.id }
            return "\(ref.id)@\(host)"
        }
    }

    private var ownHost: String? {
        guard let (address, _) = try? site.address(), let host = address.host else { return nil }
        return address.port.map { "\(host):\($0)" } ?? host
    }

    private func playlist(_ text: String, _ kind: LookUp.Kind) throws(ServiceError) -> String {
        try reference(text, kind, [.playlist]) { $0.id }
    }

    /// What a reference names: an address of the thing, or its id or name as it stands.
    private func reference(
        _ text: String, _ kind: LookUp.Kind, _ wanted: Set<MediaRef.Kind>, _ id: (MediaRef) -> String
    ) throws(ServiceError) -> String {
        if let ref = try? MediaRef.parse(text), ref.provider == Self.name {
            guard wanted.contains(ref.kind) else {
                throw .badReference(service: name, kind, text: text, reason: "it names a \(ref.kind.rawValue)")
            }
            return id(ref)
        }
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/?#%&\\\"<>".utf8.contains(byte)
        }
        guard isPlain, (1...120).contains(text.utf8.count), text != ".", text != ".." else {
            throw .badReference(
                service: name, kind, text: text, reason: "it is neither an id, a name@host, nor a PeerTube address")
        }
        return text
    }

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        try check(query)
        let search = try PeerTubeQuery(query, ofIndex: isIndex)
        let pages = max(1, ((limit ?? Self.pageSize) + Self.pageSize - 1) / Self.pageSize)
        return [
            PlannedCalls(
                method: "search/\(search.resource)", count: pages,
                detail: search.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        ]
    }

    // MARK: Answers

    private static func envelope(_ body: [UInt8]) throws(ServiceError) -> (total: Int?, count: Int) {
        let row: JSONRow
        do throws(JSONError) { row = try JSONBatch.document(body)[0] } catch {
            throw .badAnswer(service: name, reason: "\(error)")
        }
        guard let data = row.row(at: "data"), data.kind == .array else {
            throw .badAnswer(service: name, reason: "it has no list of data")
        }
        return (row.value(at: "total").integer.flatMap { Int(exactly: $0) }, data.elements.count)
    }

    /// What is no JSON is a page of a proxy, or of a server that is being set up.
    private static let verdict: @Sendable (WebResponse) -> WebVerdict = { response in
        guard response.status == 200 else { return WebRetry.byStatus(response) }
        return response.body.first { $0 > 0x20 } == UInt8(ascii: "{") ? .final : .unusable
    }

    /// RFC 7807: `detail` says it for people.
    private static let refusal: @Sendable (WebResponse) -> ServiceErrorDetails? = { response in
        guard let row = try? JSONBatch.document(response.body)[0], row.kind == .object else { return nil }
        let text = row.value(at: "detail").text ?? row.value(at: "error").text ?? row.value(at: "title").text
        let code = row.value(at: "code")
        let words = ServiceErrorDetails(
            status: response.status, code: code.text.map { Text.clean($0) } ?? code.integer.map(String.init),
            forUsers: text.flatMap { $0.isEmpty ? nil : Text.clean($0) })
        return words.text == nil ? nil : words
    }
}
