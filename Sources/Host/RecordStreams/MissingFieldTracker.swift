// Tracks which unknown fields a plugin read, for the hint after "attempt to compare nil" and for reporting why videos
// were dropped.

import VideoModel

package final class MissingFieldTracker {
    /// The last unknown field read, until the next call of the plugin.
    package private(set) var last: VideoField?
    /// How many videos were dropped after each unknown field was read.
    package private(set) var dropped: [VideoField: Int] = [:]
    /// The same by the provider of the videos.
    package private(set) var droppedOf: [VideoField: [String: Int]] = [:]
    /// A bit for each field.
    private var seen: UInt64 = 0

    package init(last: VideoField? = nil, dropped: [VideoField: Int] = [:], seen: UInt64 = 0) {
        self.last = last
        self.dropped = dropped
        self.seen = seen
    }

    /// Whether an unknown field was read since the last `begin`.
    package var any: Bool { seen != 0 }

    package func note(_ field: VideoField) {
        last = field
        seen |= 1 << UInt64(field.rawValue)
    }

    /// Call before the plugin gets another video.
    package func begin() {
        last = nil
        seen = 0
    }

    /// Records that the current video was dropped.
    package func countDrop(of video: Video) {
        for field in VideoField.allCases where seen & 1 << UInt64(field.rawValue) != 0 {
            dropped[field, default: 0] += 1
            if let provider = video.provider { droppedOf[field, default: [:]][provider, default: 0] += 1 }
        }
    }
}
