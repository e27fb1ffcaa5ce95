// A source of records, and stages over one.

import Basics
import Gate
import HostErrors
import VideoModel

/// A sequence of records, with facts about their source.
package protocol RecordStream: AnyObject {
    /// The next record; nil at the end.
    func next() throws(HostError) -> Video?
    /// Starts the work for the next record if it takes long. Returns the request to wait for before calling `next`; nil
    /// if `next` is fast or must wait itself.
    func begin() throws(HostError) -> PendingRequest?
    /// The next record if it is available without a request; nil otherwise.
    func nextBuffered() throws(HostError) -> Video?
    /// For `results.info`.
    var info: [FieldValue.Member] { get }
}

extension RecordStream {
    package func begin() throws(HostError) -> PendingRequest? { nil }
    package func nextBuffered() throws(HostError) -> Video? { try next() }
}
