// Fills in what search replies do not tell: videos are looked up in batches, and fields that are unknown get what was
// found. What is easily got wrong: a batch must not be filled up by asking for another page of a search, which costs far
// more than a second look-up.

import VideoModel
import VideoServices

/// Looks up the videos of a search whose wanted fields are unknown.
final class EnrichStage: RecordStream {
    private let upstream: any RecordStream
    /// The search that the records come from, which knows what there is to be told.
    private let search: SearchStream
    private let fields: Set<VideoField>
    private let enricher: Enricher
    private var ready: ArraySlice<Video> = []

    /// - Parameter fields: what later stages read.
    init(_ upstream: any RecordStream, of search: SearchStream, fields: Set<VideoField>, gate: any Gate) {
        self.upstream = upstream
        self.search = search
        self.fields = fields
        enricher = Enricher(gate: gate, plugin: nil)
    }

    /// Whether reading these fields may need a look-up: some services tell no more of a hit than this.
    static func isNeeded(for fields: Set<VideoField>) -> Bool {
        !fields.isSubset(of: [.provider, .id, .kind, .url, .title, .foundIn, .score])
    }

    func next() throws(HostError) -> Video? {
        if let video = ready.popFirst() { return video }
        guard let first = try upstream.next() else { return nil }
        let wanted = fields.intersection(search.tells)
        if wanted.isEmpty { return first }
        var batch = [first]
        while batch.count < LookUp.batch, let video = try upstream.nextAtHand() { batch.append(video) }
        ready = try enricher.enriched(batch, wanted)[...]
        return ready.popFirst()
    }

    func nextAtHand() -> Video? { ready.popFirst() }

    var info: [FieldValue.Member] {
        upstream.info.map { member in
            guard member.name == "calls" else { return member }
            return .init("calls", .integer((member.value.integer ?? 0) + Int64(enricher.calls)))
        }
    }
}

/// Looks batches of records up.
final class Enricher {
    private unowned let gate: any Gate
    private let plugin: String?
    /// Calls that were spent.
    private(set) var calls = 0

    init(gate: any Gate, plugin: String?) {
        self.gate = gate
        self.plugin = plugin
    }

    /// The records, with those fields filled in that were unknown and could be told.
    func enriched(_ videos: [Video], _ fields: Set<VideoField>) throws(HostError) -> [Video] {
        var videos = videos
        var places: [String: [Int]] = [:]
        for (index, video) in videos.enumerated() where video.kind == .video && !lacking(video, fields).isEmpty {
            if let provider = video.provider, video.id != nil { places[provider, default: []].append(index) }
        }
        for (provider, indices) in places.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: indices.count, by: LookUp.batch) {
                let some = indices[start..<min(start + LookUp.batch, indices.count)]
                let ids = some.compactMap { videos[$0].id }
                let question = LookUp.videos(ids, fields: fields)
                let reply = try gate.ask(
                    .lookUp(source: provider, question, limit: ids.count, page: nil), for: plugin)
                let found = try LookUpReply(reply, source: provider)
                if let remark = found.remark { _ = try? gate.ask(.log(.warning, remark)) }
                calls += found.calls
                for index in some {
                    guard let told = videos[index].id.flatMap({ found.videos[$0] }) else { continue }
                    for field in VideoField.allCases where lacking(videos[index], fields).contains(field) {
                        let value = told[field]
                        if !value.isNone { videos[index][field] = value }
                    }
                }
            }
        }
        return videos
    }

    /// The wanted fields that are unknown. A description that was found is cut short.
    private func lacking(_ video: Video, _ fields: Set<VideoField>) -> Set<VideoField> {
        fields.filter { $0 == .description || video[$0].isNone }
    }
}
