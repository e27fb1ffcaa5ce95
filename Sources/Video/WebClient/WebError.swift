// Why there is no answer. Facts only: words and exit codes are made where errors are shown. No case holds a secret.

import Store

/// A request that got no answer.
public enum WebError: Error, Sendable, Equatable {
    /// libcurl cannot be loaded.
    case noLibrary(reason: String)
    /// The request itself makes no sense: its address has another scheme or no host or a login, a header has line ends.
    case badRequest(String)
    /// The name cannot be found.
    case noHost(String)
    /// The proxy cannot be reached, or refuses.
    case noProxy(reason: String)
    /// Nobody listens there, or the network is down.
    case noConnection(host: String, reason: String)
    /// The server's certificate is not one to trust, or no TLS connection came about.
    case noTLS(host: String, reason: String)
    case timedOut(host: String, WebPhase)
    /// The connection ended before there was an answer.
    case reset(host: String, reason: String)
    /// The body ended before its length was reached.
    case truncated(host: String)
    /// The body is over the limit, in bytes; or the headers are.
    case tooLarge(host: String, limit: Int)
    /// The body is not compressed the way the server says.
    case badEncoding(host: String)
    /// What came is not HTTP.
    case badAnswer(host: String, reason: String)
    /// More redirects than are followed, or a circle of them.
    case tooManyRedirects(host: String, count: Int)
    /// A redirect that must not be followed.
    case badRedirect(host: String, WebRedirectFault)
    /// A private, local or special address, which the request may not go to.
    case refusedTarget(host: String, address: String)
    /// There is not so much of the quota left: nothing was sent.
    case quotaSpent(QuotaBucket, QuotaStatus)
    /// The call cannot be written down, so that others would not know of it: nothing was sent.
    case notCounted(QuotaBucket, StoreError)
    /// Only an answer that was kept would do, and there is none.
    case notKept
    case cancelled
    case outOfMemory
    /// Anything else, in libcurl's words.
    case other(host: String, reason: String)

    /// Whether asking again may help: trouble of the network or of a server, not of the request.
    public var isTransient: Bool {
        switch self {
        case .noConnection, .noHost, .noProxy, .reset, .truncated, .timedOut: true
        default: false
        }
    }
}

/// What a request was at when its time was over.
public enum WebPhase: Sendable, Equatable {
    /// Looking up the name.
    case name
    /// Connecting, TLS included.
    case connection
    /// The answer did not come, or not whole.
    case answer
    /// Bytes came too slowly.
    case slow
}

public enum WebRedirectFault: Sendable, Equatable {
    /// It leads to something else than http or https.
    case scheme(String)
    /// It leads nowhere.
    case address
    /// It would carry a secret to another host.
    case secret
    /// It leads a request with secrets from https to http.
    case insecure
    /// It leads to a host that the request does not allow.
    case notAllowed(host: String)
}

/// What a server can have seen of a request: what may be counted against a quota.
public enum SendOutcome: Sendable, Equatable {
    /// No byte of it was sent.
    case notSent
    /// It was sent, in part at least, and what became of it is not known.
    case unknown
    /// The server answered.
    case answered
}
