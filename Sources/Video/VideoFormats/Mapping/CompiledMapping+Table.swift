// A mapped record as a plain table with the mapping's own names, for callers that need tables instead of records.

import Basics
import VideoModel

extension CompiledMapping {
    /// The known values by the mapping's names and in its order, without derived fields.
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
