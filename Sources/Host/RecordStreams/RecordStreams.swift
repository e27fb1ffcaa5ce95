// Streams over records that are in memory.

import Basics
import VideoModel

/// A list.
package final class ListStream: RecordStream {
    private var rest: ArraySlice<Video>
    package let info: [FieldValue.Member]

    package init(_ videos: [Video], info: [FieldValue.Member] = []) {
        rest = videos[...]
        self.info = info
    }

    package func nextBatch(_ most: Int) -> ArraySlice<Video>? { rest.popFirst(most) }
}
