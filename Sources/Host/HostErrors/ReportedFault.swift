/// A failure of a target above this one, which provides its own report.
public protocol ReportedFault: Error, Sendable {
    var report: ErrorReport { get }
}
