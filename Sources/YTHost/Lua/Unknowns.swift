// Which unknown fields a plugin looked at: for the hint behind "attempt to compare nil", and for saying why videos were
// dropped.

import VideoModel

final class Unknowns {
    /// The unknown field read last; stands until the next call of the plugin.
    private(set) var last: VideoField?
    /// How many videos were dropped after each unknown field was read.
    private(set) var dropped: [VideoField: Int] = [:]
    private var seen: Set<VideoField> = []

    /// Whether an unknown field was read since the last `begin`.
    var any: Bool { !seen.isEmpty }

    func note(_ field: VideoField) {
        last = field
        seen.insert(field)
    }

    /// A plugin is about to look at another video.
    func begin() {
        last = nil
        if !seen.isEmpty { seen.removeAll(keepingCapacity: true) }
    }

    /// The video just looked at was dropped.
    func countDrop() {
        for field in seen { dropped[field, default: 0] += 1 }
    }
}
