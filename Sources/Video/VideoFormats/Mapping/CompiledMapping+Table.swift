// A mapped record as plain data under the mapping's own names, for callers who want tables and not records.

import Basics
import VideoModel

extension CompiledMapping {
    /// The known values by the mapping's names, in its order, without what follows from other fields.
    ///
    /// - Parameter video: a record that was read through this mapping.
    public func table(_ video: Video) -> FieldValue {
        let extra = video.extra
        return .record(
            rules.compactMap { rule in
                let value = VideoField(name: rule.name).map { video[$0] } ?? extra.first { $0.name == rule.name }?.value
                return value.flatMap { $0.isNone ? nil : FieldValue.Member(rule.name, $0) }
            })
    }
}
