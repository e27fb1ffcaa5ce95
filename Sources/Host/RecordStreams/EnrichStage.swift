// Fills in what search replies do not tell: videos are looked up in batches, and fields that are unknown get what was
// found. What is easily got wrong: a batch must not be filled up by asking for another page of a search, which costs far
// more than a second look-up.

import Basics
import Gate
import HostErrors
import VideoModel
import VideoServices

/// Looks up the videos of a search whose wanted fields are unknown.
package final class EnrichStage: RecordStream {
    private let upstream: any RecordStream
    /// The search that the records come from, which knows what there is to be told.
    private let search: SearchStream
    private let fields: Set<VideoField>
    private let isReadWhole: Bool
    private var enricher: Enricher
    private var ready: ArraySlice<Video> = []

    /// - Parameters:
    ///   - fields: what later stages read.
    ///   - isReadWhole: whether later stages read to the end, so that the next page is fetched while a batch is looked up.
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

    /// Whether reading these fields may need a look-up: some services tell no more of a hit than this.
    package static func isNeeded(for fields: Set<VideoField>) -> Bool {
        !fields.isSubset(of: [.provider, .id, .kind, .url, .title, .foundIn, .score])
    }

    package func next() throws(HostError) -> Video? {
        if let video = ready.popFirst() { return video }
        guard let first = try upstream.next() else { return nil }
        let wanted = fields.intersection(search.tells)
        if wanted.isEmpty { return first }
        var batch = [first]
        while batch.count < LookUp.batch, let video = try upstream.nextBuffered() { batch.append(video) }
        if isReadWhole { search.lookAhead(isNeeded: true) }
        ready = try enricher.enriched(batch, wanted)[...]
        return ready.popFirst()
    }

    package func nextBuffered() throws(HostError) -> Video? {
        if let video = ready.popFirst() { return video }
        return fields.isDisjoint(with: search.tells) ? try upstream.nextBuffered() : nil
    }

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
    /// Calls that were spent.
    private(set) var calls = 0
    /// Answers that were kept ones.
    private(set) var kept = 0

    init(gate: any Gate) { self.gate = gate }

    /// The records, with those fields filled in that were unknown and could be told.
    mutating func enriched(_ videos: [Video], _ fields: Set<VideoField>) throws(HostError) -> [Video] {
        var videos = videos
        for batch in Self.batches(of: videos, fields) {
            let spent = try Self.fill(&videos, batch, try gate.ask(batch.request), gate)
            calls += spent.calls
            kept += spent.kept
        }
        return videos
    }

    /// Records that one call of a service is to tell more of.
    package struct Batch {
        package let service: String
        /// Their places.
        package let indices: ArraySlice<Int>
        let fields: Set<VideoField>
        package let request: GateRequest
    }

    /// What to ask for, by the names of the services.
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

    /// Fills in what the reply to a batch tells. Calls that were spent, and answers that were kept ones.
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

    /// The wanted fields that are unknown. A description that was found is cut short.
    private static func lacking(_ video: Video, _ fields: Set<VideoField>) -> Set<VideoField> {
        fields.filter { $0 == .description || video[$0].isNone }
    }
}
