// Retries. Only safe requests are repeated, after random waits from a range that doubles, so that many clients do not
// retry at the same moment.

/// When a request is retried.
public struct WebRetry: Sendable {
    /// The maximum number of attempts, 1 or more. Requests with unsafe methods are sent once.
    public var attempts = 3
    /// The upper bound of the first wait, in seconds. It doubles with each retry.
    public var firstWait = 0.5
    /// The longest wait, in seconds. If the server demands a longer one, its response is returned without a retry.
    public var longestWait = 20.0
    /// Classifies a response. This depends on the service: a spent daily quota may have the status of a temporary
    /// error.
    public var judge: @Sendable (WebResponse) -> WebVerdict = WebRetry.byStatus

    public init() {}

    /// By status only: 408, 425, 429, 500, 502, 503 and 504 are temporary.
    public static let byStatus: @Sendable (WebResponse) -> WebVerdict = { response in
        [408, 425, 429, 500, 502, 503, 504].contains(response.status) ? .passing : .final
    }

    /// No retries.
    public static var never: WebRetry {
        var retry = WebRetry()
        retry.attempts = 1
        return retry
    }

    /// Seconds to wait after an attempt, counted from 1.
    func wait(after attempt: Int) -> Double {
        let range = min(longestWait, firstWait * Double(1 << min(attempt - 1, 16)))
        return Double.random(in: 0...max(range, 0))
    }
}

/// Whether a response is final or worth a retry.
public enum WebVerdict: Sendable, Equatable {
    /// The response is final, whatever its status.
    case final
    /// A temporary error of the server: a retry may succeed.
    case passing
    /// The daily quota is spent: retries fail until it resets.
    case exhausted
    /// The response is not usable: a cached one is better, and a retry would not help.
    case unusable
}
