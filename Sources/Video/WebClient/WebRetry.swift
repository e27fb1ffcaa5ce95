// When a request is sent again. Only safe ones are, with waits that are drawn at random from a range that doubles, so
// that many clients do not come back at the same moment.

/// How often and when a request is tried again.
public struct WebRetry: Sendable {
    /// How often it is sent at most, 1 and up. Requests that are not safe are sent once.
    public var attempts = 3
    /// The range of the first wait, in seconds; it doubles with each.
    public var firstWait = 0.5
    /// The longest wait, in seconds. A server that asks for a longer one gets no retry, and its answer is given.
    public var longestWait = 20.0
    /// What an answer means; only the service knows, since a daily quota may bear the status of a passing one.
    public var judge: @Sendable (WebResponse) -> WebVerdict = WebRetry.byStatus

    public init() {}

    /// By the status alone: 408, 425, 429, 500, 502, 503 and 504 may pass.
    public static let byStatus: @Sendable (WebResponse) -> WebVerdict = { response in
        [408, 425, 429, 500, 502, 503, 504].contains(response.status) ? .passing : .final
    }

    /// Never again.
    public static var never: WebRetry {
        var retry = WebRetry()
        retry.attempts = 1
        return retry
    }

    /// Seconds to wait before the attempt after this one, counted from 1.
    func wait(after attempt: Int) -> Double {
        let range = min(longestWait, firstWait * Double(1 << min(attempt - 1, 16)))
        return Double.random(in: 0...max(range, 0))
    }
}

/// What an answer means for asking again.
public enum WebVerdict: Sendable, Equatable {
    /// The answer stands, whatever its status.
    case final
    /// The server is busy or in trouble: it may answer if it is asked again.
    case passing
    /// The quota of the day is used up: asking again is in vain until it resets.
    case exhausted
    /// It is not what was asked for: what was kept is better, and asking again is in vain.
    case unusable
}
