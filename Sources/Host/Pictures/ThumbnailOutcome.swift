// The result of fetching a video's picture.

import HostErrors

/// The result for one video.
public struct ThumbnailOutcome: Sendable {
    /// The URL, or the name of the record.
    public var name: String
    /// A file name without a suffix, made of letters, digits, `-`, `_` and `.`. It is unique within the run.
    public var stem: String
    /// Why no picture was found; nil on success.
    public var failure: String?
    /// Why a fetched picture was not written.
    public var writing: HostError?
    /// The type (`jpeg`, `png` …), the size in pixels, and the bytes. `bytes` is empty after the picture was handed on.
    public var kind = "", suffix = ""
    public var width: Int64 = 0, height: Int64 = 0
    public var bytes: [UInt8] = []
    public var count = 0

    package init(name: String, stem: String) {
        self.name = name
        self.stem = stem
    }

    /// The error report; nil on success.
    public var report: ErrorReport? {
        writing?.report ?? failure.map { ErrorReport(code: .network, kind: "picture", message: "\(name): \($0)") }
    }
}
