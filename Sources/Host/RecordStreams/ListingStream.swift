// Videos of a channel or a playlist. Trap: uploads are listed in upload order, which is not the order of their
// publication dates, and the newest item of a playlist is usually at its end.

import Basics
import Gate
import HostErrors
import VideoModel
import VideoServices

/// Records of a channel's uploads or a playlist.
package final class ListingStream: RecordStream {
    /// Selects the records and their order.
    package struct Listing {
        package enum Order {
            case given
            /// By the date of the videos, the newest first.
            case newestUpload
            /// The last N records, in reverse order.
            case newestItem(Int)
        }
        package var order = Order.given
        /// nil for the default of a service that counts calls.
        package var limit: Int?
        package var skipsUnavailable = false

        package init(order: Order = Order.given, limit: Int? = nil, skipsUnavailable: Bool = false) {
            self.order = order
            self.limit = limit
            self.skipsUnavailable = skipsUnavailable
        }
    }

    private let stream: SearchStream
    private let listing: Listing
    private var given = 0
    private var arranged: ArraySlice<Video>?

    package init(
        _ question: LookUp, source: String, _ listing: Listing, page: String? = nil, gate: any Gate, plugin: String?
    ) {
        self.listing = listing
        let limit: Int? =
            switch listing.order {
            // Finding the end requires reading everything.
            case .newestItem: .max
            // Skipped records do not count towards the limit.
            case .given: listing.skipsUnavailable ? listing.limit.map { _ in .max } : listing.limit
            case .newestUpload: listing.limit
            }
        stream = SearchStream(.lookUp(question, source: source), limit: limit, page: page, gate: gate, plugin: plugin)
    }

    /// Whether the limit is reached. If so, the search is ended too.
    private var isAtLimit: Bool {
        guard let limit = listing.limit, given >= limit else { return false }
        stream.endAtLimit()
        return true
    }

    package func begin() throws(HostError) -> PendingRequest? {
        if isAtLimit { return nil }
        return try stream.begin()
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if isAtLimit { return nil }
        let most = min(most, (listing.limit ?? .max) - given)
        var batch: ArraySlice<Video>?
        if case .given = listing.order {
            batch = try available(most)
        } else {
            if arranged == nil { arranged = try arrange() }
            batch = arranged?.popFirst(most)
        }
        given += batch?.count ?? 0
        return batch
    }

    package func prefetch() { stream.prefetch() }

    private func available(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while let batch = try stream.nextBatch(most) {
            if !listing.skipsUnavailable { return batch }
            let left = batch.filter { !$0.isGone }
            if !left.isEmpty { return left[...] }
        }
        return nil
    }

    private func arrange() throws(HostError) -> ArraySlice<Video> {
        var all: [Video] = []
        var most = Int.max
        if case .newestItem(let count) = listing.order { most = count }
        while let batch = try available(.max) {
            stream.prefetch()
            all += batch
            // Only the end is needed, so drop earlier records.
            if most < Int.max, all.count > 2 * most + 100 { all.removeFirst(all.count - most) }
        }
        if case .newestItem = listing.order { return Array(all.suffix(most).reversed())[...] }
        return stableSort(all) { ($0.published ?? .min) > ($1.published ?? .min) }[...]
    }

    package var info: [FieldValue.Member] { stream.info }
}
