// Which unknown fields a plugin looked at: for the hint behind "attempt to compare nil", and for saying why videos were
// dropped.

import VideoModel

final class Unknowns {
    /// The unknown field read last; stands until the next call of the plugin.
    private(set) var last: VideoField?
    /// How many videos were dropped after each unknown field was read.
    private(set) var dropped: [VideoField: Int] = [:]
    /// A bit for each field.
    private var seen: UInt64 = 0

    /// Whether an unknown field was read since the last `begin`.
    var any: Bool { seen != 0 }

    func note(_ field: VideoField) {
        last = field
        seen |= 1 << UInt64(field.rawValue)
    }

    /// A plugin is about to look at another video.
    func begin() {
        last = nil
        seen = 0
    }

    /// The video just looked at was dropped.
    func countDrop() {
        for field in VideoField.allCases where seen & 1 << UInt64(field.rawValue) != 0 {
            dropped[field, default: 0] += 1
        }
    }
}
