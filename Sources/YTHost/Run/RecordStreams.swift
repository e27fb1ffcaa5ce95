// Records that are all there.

import VideoModel

/// A list.
final class ListStream: RecordStream {
    private var rest: ArraySlice<Video>
    let info: [FieldValue.Member]

    init(_ videos: [Video], info: [FieldValue.Member] = []) {
        rest = videos[...]
        self.info = info
    }

    func next() -> Video? { rest.popFirst() }
}
