// Levels of the log lines on standard error.

/// Severity of a line on standard error.
public enum LogLevel: Int, Sendable, CaseIterable {
    case error, warning, info, debug

    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
