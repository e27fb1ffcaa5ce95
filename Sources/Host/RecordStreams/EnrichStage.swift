// Fills in fields missing from search replies: looks up videos in batches and sets their unknown fields. Trap: never
// request another search page to fill a batch, because a search call costs far more than a second look-up.

import Basics
import Gate
import HostErrors
import VideoModel
import VideoServices

/// Looks up the videos of a search whose wanted fields are unknown.
package final class EnrichStage: RecordStream {
    private let upstream: any RecordStream
    /// The search that supplies the records. It knows which fields a look-up can add.
    private let search: SearchStream
    private let fields: Set<VideoField>
    private let isReadWhole: Bool
    private var enricher: Enricher
    private var ready: ArraySlice<Video> = []

    /// - Parameters:
    ///   - fields: the fields that later stages read.
    ///   - isReadWhole: whether later stages read to the end. If so, the next page is fetched during the look-up.
    package init(
        _ upstream: any RecordStream, of search: SearchStream, fields: Set<VideoField>, isReadWhole: Bool,
        gate: any Gate
    ) {
        self.upstream = upstream
        self.search = search
        self.fields = fields
        self.isReadWhole = isReadWhole
        enricher = Enricher(gate: gate)
    }

    /// Whether reading these fields may need a look-up. Some services return only the fields below in a search.
    package static func isNeeded(for fields: Set<VideoField>) -> Bool {
        !fields.isSubset(of: [.provider, .id, .kind, .url, .title, .foundIn, .score])
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if let some = ready.popFirst(most) { return some }
        guard let batch = try upstream.nextBatch(most) else { return nil }
        let wanted = fields.intersection(search.tells)
        if wanted.isEmpty { return batch }
        if isReadWhole { search.lookAhead(isNeeded: true) }
        ready = try enricher.enriched(Array(batch), wanted)[...]
        return ready.popFirst(most)
    }

    package func prefetch() { upstream.prefetch() }

    package var info: [FieldValue.Member] {
        upstream.info.map { member in
            switch member.name {
            case "calls": .init("calls", .integer((member.value.integer ?? 0) + Int64(enricher.calls)))
            case "cached": .init("cached", .integer((member.value.integer ?? 0) + Int64(enricher.kept)))
            default: member
            }
        }
    }
}

/// Looks records up.
package struct Enricher {
    private unowned let gate: any Gate
    /// Calls spent.
    private(set) var calls = 0
    /// Number of replies from the cache.
    private(set) var kept = 0

    init(gate: any Gate) { self.gate = gate }

    /// Returns the records with unknown fields filled in where the service has them.
    mutating func enriched(_ videos: [Video], _ fields: Set<VideoField>) throws(HostError) -> [Video] {
        var videos = videos
        for batch in Self.batches(of: videos, fields) {
            let spent = try Self.fill(&videos, batch, try gate.ask(batch.request), gate)
            calls += spent.calls
            kept += spent.kept
        }
        return videos
    }

    /// Records to look up with one call to a service.
    package struct Batch {
        package let service: String
        /// Their indices.
        package let indices: ArraySlice<Int>
        let fields: Set<VideoField>
        package let request: GateRequest
    }

    /// The batches to look up, sorted by service name.
    package static func batches(of videos: [Video], _ fields: Set<VideoField>) -> [Batch] {
        var places: [String: [Int]] = [:]
        for (index, video) in videos.enumerated() where video.kind == .video && !lacking(video, fields).isEmpty {
            if let provider = video.provider, video.id != nil { places[provider, default: []].append(index) }
        }
        var batches: [Batch] = []
        for (provider, indices) in places.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: indices.count, by: LookUp.batch) {
                let some = indices[start..<min(start + LookUp.batch, indices.count)]
                let ids = some.compactMap { videos[$0].id }
                let request = GateRequest.lookUp(
                    source: provider, .videos(ids, fields: fields), limit: ids.count, page: nil)
                batches.append(Batch(service: provider, indices: some, fields: fields, request: request))
            }
        }
        return batches
    }

    /// Fills in the fields from the reply to a batch. Returns the calls spent and the number of cached replies.
    package static func fill(
        _ videos: inout [Video], _ batch: Batch, _ reply: GateReply, _ gate: any Gate
    ) throws(HostError) -> (calls: Int, kept: Int) {
        let found = try LookUpReply(reply, source: batch.service)
        if let remark = found.remark { _ = try? gate.ask(.log(.warning, remark)) }
        for index in batch.indices {
            guard let told = videos[index].id.flatMap({ found.videos[$0] }) else { continue }
            for field in VideoField.allCases where lacking(videos[index], batch.fields).contains(field) {
                let value = told[field]
                if !value.isNone { videos[index][field] = value }
            }
        }
        return (found.calls, found.kept)
    }

    /// The wanted fields that are unknown. A description always counts, because search replies truncate it.
    private static func lacking(_ video: Video, _ fields: Set<VideoField>) -> Set<VideoField> {
        fields.filter { $0 == .description || video[$0].isNone }
    }
}
