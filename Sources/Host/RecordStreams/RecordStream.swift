// A source of records, and stages over one.

import Basics
import Gate
import HostErrors
import VideoModel

/// Records one after another, and facts about how they came.
package protocol RecordStream: AnyObject {
    /// The next record; nil at the end.
    func next() throws(HostError) -> Video?
    /// Begins what the next record needs, if that takes long: what to wait for before `next` is called. nil when `next`
    /// takes no time to speak of, or must do the waiting itself.
    func begin() throws(HostError) -> PendingRequest?
    /// The next record if it is there without asking anybody outside; nil also when it is not.
    func nextBuffered() throws(HostError) -> Video?
    /// For `results.info`.
    var info: [FieldValue.Member] { get }
}

extension RecordStream {
    package func begin() throws(HostError) -> PendingRequest? { nil }
    package func nextBuffered() throws(HostError) -> Video? { try next() }
}
