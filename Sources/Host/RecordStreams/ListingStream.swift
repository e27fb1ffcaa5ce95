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

    package func next() throws(HostError) -> Video? {
        if isAtLimit { return nil }
        let video = if case .given = listing.order { try available() } else { try arrangedNext() }
        if video != nil { given += 1 }
        return video
    }

    package func nextBuffered() throws(HostError) -> Video? {
        if case .given = listing.order, !listing.skipsUnavailable {
            if isAtLimit { return nil }
            guard let video = stream.nextBuffered() else { return nil }
            given += 1
            return video
        }
        return arranged == nil ? nil : try next()
    }

    private func available() throws(HostError) -> Video? {
        while let video = try stream.next() {
            if !(listing.skipsUnavailable && video.isGone) { return video }
        }
        return nil
    }

    private func arrangedNext() throws(HostError) -> Video? {
        if arranged == nil { arranged = try arrange() }
        return arranged?.popFirst()
    }

    private func arrange() throws(HostError) -> ArraySlice<Video> {
        var all: [Video] = []
        var most = Int.max
        if case .newestItem(let count) = listing.order { most = count }
        while let video = try available() {
            all.append(video)
            // Only the end is needed, so drop earlier records.
            if most < Int.max, all.count > 2 * most + 100 { all.removeFirst(all.count - most) }
        }
        if case .newestItem = listing.order { return Array(all.suffix(most).reversed())[...] }
        return stableSort(all) { ($0.published ?? .min) > ($1.published ?? .min) }[...]
    }

    package var info: [FieldValue.Member] { stream.info }
}
