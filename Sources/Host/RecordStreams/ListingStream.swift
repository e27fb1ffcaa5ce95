// What is in a channel or a playlist. What is easily got wrong: a channel's uploads are in the order they were uploaded,
// which is not that of their dates; and what was added to a playlist last mostly stands at its end.

import Basics
import Gate
import HostErrors
import VideoModel
import VideoServices

/// Records of a channel's uploads or a playlist.
package final class ListingStream: RecordStream {
    /// Which of them, and in which order.
    package struct Listing {
        package enum Order {
            case given
            /// By the date of the videos, the newest first.
            case newestUpload
            /// So many that stand at the end, the last one first.
            case newestItem(Int)
        }
        package var order = Order.given
        /// nil for as many as a service that counts calls gives by itself.
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
            // The end is found by reading all.
            case .newestItem: .max
            // What is left out does not count.
            case .given: listing.skipsUnavailable ? listing.limit.map { _ in .max } : listing.limit
            case .newestUpload: listing.limit
            }
        stream = SearchStream(.lookUp(question, source: source), limit: limit, page: page, gate: gate, plugin: plugin)
    }

    /// Whether as many were given as were asked for; then the search ends, too.
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
            // Only the end is wanted: what stands before it need not be kept.
            if most < Int.max, all.count > 2 * most + 100 { all.removeFirst(all.count - most) }
        }
        if case .newestItem = listing.order { return Array(all.suffix(most).reversed())[...] }
        return stableSort(all) { ($0.published ?? .min) > ($1.published ?? .min) }[...]
    }

    package var info: [FieldValue.Member] { stream.info }
}
