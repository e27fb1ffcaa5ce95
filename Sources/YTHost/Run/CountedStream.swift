// The last stream of a pipeline: what a run says of itself in the end is counted here.

import VideoModel

/// Counts the records that reach the output, and notes a failure before them, which the plugin that reads here may not
/// swallow.
final class CountedStream: RecordStream {
    private let upstream: any RecordStream
    private let keepsRecords: Bool
    private(set) var count = 0
    /// Whether it was asked for a record; a plugin that makes its own output may not want any.
    private(set) var isRead = false
    private(set) var kept: [Video] = []
    var onFailure: ((HostError) -> Void)?

    init(_ upstream: any RecordStream, keepsRecords: Bool) {
        self.upstream = upstream
        self.keepsRecords = keepsRecords
    }

    func next() throws(HostError) -> Video? {
        isRead = true
        do throws(HostError) {
            guard let video = try upstream.next() else { return nil }
            count += 1
            if keepsRecords { kept.append(video) }
            return video
        } catch {
            onFailure?(error)
            throw error
        }
    }

    var info: [FieldValue.Member] { upstream.info }
}
