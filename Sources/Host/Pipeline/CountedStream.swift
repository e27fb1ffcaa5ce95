// The last stream of a pipeline. It counts the records for the run report.

import Basics
import HostErrors
import RecordStreams
import VideoFormats
import VideoModel

/// Counts the records that reach the output. Records an upstream failure, so that a plugin reading from this stream
/// cannot swallow it.
package final class CountedStream: RecordStream {
    private let upstream: any RecordStream
    private let keepsRecords: Bool
    private let lookUps: LookUps
    package private(set) var count = 0
    /// Whether a record was requested. A plugin that makes its own output may request none.
    package private(set) var isRead = false
    package private(set) var kept: [Video] = []
    package var onFailure: ((HostError) -> Void)?
    /// Ends the stream, instead of throwing, when a source fails after some records, so that the written output is
    /// well-formed. The run still fails.
    package var endsAtFailure = false
    private var hasFailed = false

    package init(_ upstream: any RecordStream, keepsRecords: Bool, lookUps: LookUps) {
        self.upstream = upstream
        self.keepsRecords = keepsRecords
        self.lookUps = lookUps
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        isRead = true
        do throws(HostError) {
            if hasFailed { return nil }
            guard let batch = try upstream.nextBatch(most) else { return nil }
            count += batch.count
            if keepsRecords { kept += batch }
            return batch
        } catch {
            onFailure?(error)
            guard endsAtFailure, isPartial(error) else { throw error }
            hasFailed = true
            return nil
        }
    }

    package func prefetch() { upstream.prefetch() }

    /// Takes back the last records, because the output ended before them.
    package func takeBack(_ unread: Int) {
        count -= unread
        if keepsRecords { kept.removeLast(unread) }
    }

    /// Whether the records read before the failure are worth writing: the network or a service failed, a quota is used
    /// up, a service rejected the key, or the rest of an input is unreadable.
    package func isPartial(_ error: HostError) -> Bool {
        guard count > 0, let report = error.report else { return false }
        if case .format(_, let fault) = error {
            // With --strict an input with a bad record is rejected as a whole.
            if case .badRecord = fault { return false }
            return true
        }
        return report.code == .network || report.code == .quota
            || report.code == .configuration && report.source != nil
    }

    /// That of the source, with the calls of look-ups.
    package var info: [FieldValue.Member] {
        upstream.info.map { member in
            switch member.name {
            case "calls": .init("calls", .integer((member.value.integer ?? 0) + Int64(lookUps.calls)))
            case "cached": .init("cached", .integer((member.value.integer ?? 0) + Int64(lookUps.kept)))
            default: member
            }
        }
    }
}
