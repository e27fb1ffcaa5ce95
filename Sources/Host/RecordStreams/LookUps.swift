// Look-ups of records: fields that a search does not tell are fetched for many records with one call, when one of them is
// first read. Trap: never request another search page to fill a batch, because a search call costs far more than a
// second look-up.

import Basics
import Gate
import HostErrors
import VideoModel
import VideoServices

/// Looks up the records of a run. A record says by its `lookUp` which fields may still be asked for, so each field is
/// asked for once. The run asks, not the plugin that reads, and is told of public videos only.
package final class LookUps {
    private unowned let gate: any Gate
    /// Fields that plugins declare and expressions name. They are asked for together.
    package var hints: VideoFieldSet = []
    /// Called before the first look-up of a page, so that the next page can be fetched meanwhile.
    package var willAsk: () -> Void = {}
    /// Calls spent.
    package private(set) var calls = 0
    /// Number of replies from the cache.
    package private(set) var kept = 0
    private var offers: [LookUpOffer]?

    /// Whether records are looked up that were only read: from files, pipes and `yt.parse`.
    private let includesRead: Bool

    package init(gate: any Gate, includesRead: Bool) {
        self.gate = gate
        self.includesRead = includesRead
    }

    /// Records that were read, ready to be looked up if the run does that.
    package func marked(_ read: [Video]) -> [Video] {
        guard includesRead else { return read }
        var read = read
        for index in read.indices { read[index].lookUp = .all }
        return read
    }

    /// The fields that the services tell of records by a look-up.
    package func offered() throws(HostError) -> [LookUpOffer] {
        if let offers { return offers }
        guard case .lookUpOffers(let found) = try gate.ask(.lookUpOffers) else { return [] }
        offers = found
        return found
    }

    /// Looks a record up, and those after it that lack the same field, if the service tells the field.
    ///
    /// - Returns: the records that may have changed.
    @discardableResult
    package func fill(
        _ videos: inout [Video], from first: Int, _ field: VideoField
    ) throws(HostError) -> Range<Int> {
        guard videos[first].needsLookUp(of: field) else { return first..<first }
        guard let service = videos[first].provider else {
            videos[first].lookUp = []
            return first..<first + 1
        }
        // With a hint the reader's fields are known; else one call asks for all, since a second call would cost more.
        var fields: VideoFieldSet = [field]
        fields.formUnion(hints.contains(field) ? hints : .all)
        var indices: [Int] = []
        var asked: VideoFieldSet = []
        var end = first
        while end < videos.count, indices.count < LookUp.batch {
            defer { end += 1 }
            guard videos[end].provider == service, videos[end].needsLookUp(of: field) else { continue }
            if videos[end].lookUp == .all {
                videos[end].lookUp = VideoFieldSet(try offered().first { $0.service == service }?.fields ?? [])
            }
            guard videos[end].lookUp.contains(field), videos[end].kind == .video, videos[end].id != nil else {
                videos[end].lookUp.subtract([field])
                continue
            }
            indices.append(end)
            asked.formUnion(videos[end].lookUp.intersection(fields))
        }
        guard !indices.isEmpty else { return first..<end }
        willAsk()
        let batch = Enricher.Batch(service: service, indices: indices[...], of: videos, Set(asked.fields))
        let spent = try Enricher.fill(&videos, batch, try gate.ask(batch.request), gate)
        calls += spent.calls
        kept += spent.kept
        for index in indices { videos[index].lookUp.subtract(fields) }
        return first..<end
    }
}

/// Fills in records.
package enum Enricher {
    /// Records to look up with one call to a service.
    package struct Batch {
        package let service: String
        /// Their indices.
        package let indices: ArraySlice<Int>
        let fields: Set<VideoField>
        package let request: GateRequest

        fileprivate init(service: String, indices: ArraySlice<Int>, of videos: [Video], _ fields: Set<VideoField>) {
            self.service = service
            self.indices = indices
            self.fields = fields
            let ids = indices.compactMap { videos[$0].id }
            request = .lookUp(source: service, .videos(ids, fields: fields), limit: ids.count, page: nil)
        }
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
                batches.append(Batch(service: provider, indices: some, of: videos, fields))
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
            let lacking = lacking(videos[index], batch.fields)
            for field in VideoField.allCases where lacking.contains(field) {
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
