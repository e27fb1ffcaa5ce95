// The last stream of a pipeline: what a run says of itself in the end is counted here.

import Basics
import HostErrors
import RecordStreams
import VideoFormats
import VideoModel

/// Counts the records that reach the output, and notes a failure before them, which the plugin that reads here may not
/// swallow.
package final class CountedStream: RecordStream {
    private let upstream: any RecordStream
    private let keepsRecords: Bool
    package private(set) var count = 0
    /// Whether it was asked for a record; a plugin that makes its own output may not want any.
    package private(set) var isRead = false
    package private(set) var kept: [Video] = []
    package var onFailure: ((HostError) -> Void)?
    /// Whether a source that fails after some records ends here, so that what they are written as is whole. The failure
    /// is still the run's.
    package var endsAtFailure = false
    private var hasFailed = false

    package init(_ upstream: any RecordStream, keepsRecords: Bool) {
        self.upstream = upstream
        self.keepsRecords = keepsRecords
    }

    package func next() throws(HostError) -> Video? { try next { () throws(HostError) in try upstream.next() } }

    package func nextBuffered() throws(HostError) -> Video? {
        try next { () throws(HostError) in try upstream.nextBuffered() }
    }

    private func next(_ body: () throws(HostError) -> Video?) throws(HostError) -> Video? {
        isRead = true
        do throws(HostError) {
            if hasFailed { return nil }
            guard let video = try body() else { return nil }
            count += 1
            if keepsRecords { kept.append(video) }
            return video
        } catch {
            onFailure?(error)
            guard endsAtFailure, isPartial(error) else { throw error }
            hasFailed = true
            return nil
        }
    }

    /// Whether records came that are worth writing, though what should follow them did not: the network or a service
    /// failed, a quota is used up, a service no longer takes the key, or the rest of an input cannot be read.
    package func isPartial(_ error: HostError) -> Bool {
        guard count > 0, let report = error.report else { return false }
        if case .format(_, let fault) = error {
            // With --strict an input is good as a whole, or not at all.
            if case .badRecord = fault { return false }
            return true
        }
        return report.code == .network || report.code == .quota
            || report.code == .configuration && report.source != nil
    }

    package var info: [FieldValue.Member] { upstream.info }
}
