/// A failure of a target above this one, which words itself.
public protocol ReportedFault: Error, Sendable {
    var report: ErrorReport { get }
}
