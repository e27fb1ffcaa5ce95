// A source of records, and stages over one. Records move in batches: those that are available together, such as a page
// of a search or the records of a block of a file.

import Basics
import Gate
import HostErrors
import VideoModel

/// A sequence of records, with facts about their source.
package protocol RecordStream: AnyObject {
    /// The next records that are available together; nil at the end. Never empty. If a source fails after some records,
    /// those are returned, and the next call throws.
    ///
    /// - Parameter most: the maximum number of records. A stage that drops records may not pass it on.
    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>?
    /// Starts the work for the next batch if it takes long. Returns the request to wait for before calling `nextBatch`;
    /// nil if that is fast or must wait itself.
    func begin() throws(HostError) -> PendingRequest?
    /// Called when half of the last batch was read. The reader probably needs the next one, so a request for it may be
    /// sent.
    func prefetch()
    /// For `results.info`.
    var info: [FieldValue.Member] { get }
}

extension RecordStream {
    package func begin() throws(HostError) -> PendingRequest? { nil }
    package func prefetch() {}

    package func nextBatch() throws(HostError) -> ArraySlice<Video>? { try nextBatch(.max) }
    /// The next record; nil at the end.
    package func next() throws(HostError) -> Video? { try nextBatch(1)?.first }
}

extension ArraySlice {
    /// Removes at most that many elements from the beginning; nil when there is none.
    package mutating func popFirst(_ most: Int) -> ArraySlice? {
        guard !isEmpty, most > 0 else { return nil }
        let some = prefix(most)
        self = dropFirst(some.count)
        return some
    }
}
