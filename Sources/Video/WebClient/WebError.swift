// Errors of requests. The cases hold facts; text and exit codes are made where errors are shown.

import Store

/// Why a request has no response. No case contains a secret.
public enum WebError: Error, Sendable, Equatable {
    /// libcurl cannot be loaded.
    case noLibrary(reason: String)
    /// The request is invalid: another scheme, no host, a login in the URL, or a header that cannot be sent.
    case badRequest(String)
    /// The host name cannot be resolved.
    case noHost(String)
    /// The proxy cannot be reached, or rejects the request.
    case noProxy(reason: String)
    /// The connection failed: the port is closed, or the network is down.
    case noConnection(host: String, reason: String)
    /// The server's certificate is not trusted, or the TLS handshake failed.
    case noTLS(host: String, reason: String)
    case timedOut(host: String, WebPhase)
    /// The connection was closed before the response.
    case reset(host: String, reason: String)
    /// The body is incomplete.
    case truncated(host: String)
    /// The body or the headers exceed the limit, in bytes.
    case tooLarge(host: String, limit: Int)
    /// The body does not match its Content-Encoding.
    case badEncoding(host: String)
    /// The response is not valid HTTP.
    case badAnswer(host: String, reason: String)
    /// The redirect limit is exceeded, or the redirects form a loop.
    case tooManyRedirects(host: String, count: Int)
    /// A redirect that is not allowed.
    case badRedirect(host: String, WebRedirectFault)
    /// The target is a private, local or special address, which this request may not connect to.
    case refusedTarget(host: String, address: String)
    /// Too few units of the quota are left. No request was sent.
    case quotaSpent(QuotaBucket, QuotaStatus)
    /// The request cannot be recorded in the quota ledger. No request was sent.
    case notCounted(QuotaBucket, StoreError)
    /// The request is limited to the cache, and no response is cached.
    case notKept
    case cancelled
    case outOfMemory
    /// Any other error, with libcurl's text.
    case other(host: String, reason: String)

    /// Whether a retry may succeed: the error is one of the network or the server, not of the request.
    public var isTransient: Bool {
        switch self {
        case .noConnection, .noHost, .noProxy, .reset, .truncated, .timedOut: true
        default: false
        }
    }
}

/// The phase in which a request timed out.
public enum WebPhase: Sendable, Equatable {
    /// Name resolution.
    case name
    /// Connecting, TLS included.
    case connection
    /// Waiting for the response, or reading it.
    case answer
    /// The transfer was slower than the limit.
    case slow
}

public enum WebRedirectFault: Sendable, Equatable {
    /// The scheme is not http or https.
    case scheme(String)
    /// The URL is invalid.
    case address
    /// The redirect would send a secret to another host.
    case secret
    /// The redirect of a request with secrets goes from https to http.
    case insecure
    /// The request does not allow this host.
    case notAllowed(host: String)
}

/// What the server may have received, for counting quotas.
public enum SendOutcome: Sendable, Equatable {
    /// No byte was sent.
    case notSent
    /// At least a part was sent; the outcome is unknown.
    case unknown
    /// The server responded.
    case answered
}
