// What became of the picture of one video.

import HostErrors

/// What became of one of them.
public struct ThumbnailOutcome: Sendable {
    /// The address, or what the record is called.
    public var name: String
    /// What a file of it may be called, without its ending: of letters, digits, `-`, `_` and `.`, and nobody else's here.
    public var stem: String
    /// Why there is none.
    public var failure: String?
    /// Why it was not written, of one that came.
    public var writing: HostError?
    /// `jpeg`, `png` …, its size in pixels and its bytes; those are not kept of a picture that was handed on.
    public var kind = "", suffix = ""
    public var width: Int64 = 0, height: Int64 = 0
    public var bytes: [UInt8] = []
    public var count = 0

    package init(name: String, stem: String) {
        self.name = name
        self.stem = stem
    }

    /// What is told of a failure.
    public var report: ErrorReport? {
        writing?.report ?? failure.map { ErrorReport(code: .network, kind: "picture", message: "\(name): \($0)") }
    }
}
