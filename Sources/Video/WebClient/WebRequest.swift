// HTTP requests. Secrets are separate from the URL and the headers, so that the URL can be shown, logged and used as a
// cache key.

import Basics
import Threads

/// One HTTP request.
public struct WebRequest: Sendable {
    public var method: WebMethod
    /// The URL without secrets. The scheme is `http` or `https`; the fragment is not sent.
    public var address: WebAddress
    /// Appended to the query; sent to the host of `address` only.
    public var secretQuery: [SecretField] = []
    public var headers: [WebHeader] = []
    /// Sent to the host of `address` only, as are the headers Authorization and Cookie.
    public var secretHeaders: [SecretField] = []
    /// nil for no body.
    public var body: [UInt8]?
    /// Which addresses the request may connect to.
    public var target: WebTarget = .open(except: [])
    public var deadlines = WebDeadlines()
    /// The maximum size of the body after decompression, in bytes.
    public var largestBody = 64 << 20
    /// Whether a larger body is cut off at `largestBody` instead of an error.
    public var cutsBody = false
    /// Whether an incomplete body is returned, marked as cut, instead of an error.
    public var allowsPartialBody = false
    /// The maximum number of redirects. 0 returns the redirect itself.
    public var redirects = 10
    /// An additional check of redirect targets. nil allows every target that passes the other checks.
    public var allowsRedirect: (@Sendable (WebAddress) -> Bool)?
    public var retry = WebRetry()
    /// The quota cost of each request sent. nil if it is not counted.
    public var charge: WebCharge?
    /// How responses are cached. nil for no caching. Only GET responses are cached.
    public var cache: CacheUse?
    /// Cancels the request.
    public var token: CancellationToken?

    public init(_ method: WebMethod = .get, _ address: WebAddress) {
        self.method = method
        self.address = address
    }

    /// All secrets of the request.
    var secrets: [Secret] { (secretQuery + secretHeaders).map(\.value) }
}

/// HTTP methods.
public enum WebMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case delete = "DELETE"

    /// Whether the method is safe, so that a request can be repeated (RFC 9110, 9.2.1).
    public var isSafe: Bool { self == .get || self == .head }
}

/// One header. A line end or NUL in the value makes the request fail with `WebError.badRequest`.
public struct WebHeader: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Which addresses a request may connect to. The resolved address is checked on each redirect; behind a proxy, which
/// resolves names itself, only the name is checked.
public enum WebTarget: Sendable, Equatable {
    /// The user configured the host: it may have any address. Redirects to other hosts are `open`.
    case trusted
    /// The URL is untrusted: private, local and special addresses are rejected, except for these.
    case open(except: [WebEndpoint])
}

/// A numeric address and a port, as in the grant `net:127.0.0.1:8080`.
public struct WebEndpoint: Sendable, Hashable {
    public var address: String
    public var port: Int

    public init(_ address: String, port: Int) {
        self.address = address
        self.port = port
    }
}

/// Timeouts of a request.
public struct WebDeadlines: Sendable, Equatable {
    /// Seconds to connect, including name resolution and TLS.
    public var connect = 10.0
    /// Seconds in total, including redirects, retries and the waits between them.
    public var total = 60.0
    /// An attempt ends if it averages fewer bytes per second than this for `slowSeconds`, also before the response
    /// starts.
    public var slowBytes = 64
    public var slowSeconds = 20

    public init() {}
}
