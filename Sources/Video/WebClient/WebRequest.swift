// What is asked of a server. Secrets stand apart from the address and the headers, so that the address can be shown,
// logged and used as a key as it is.

import Basics
import Threads

/// One request, plain data.
public struct WebRequest: Sendable {
    public var method: WebMethod
    /// Without secrets. Its scheme is `http` or `https`; a fragment is not sent.
    public var address: WebAddress
    /// Added at the end of the query, and sent to the host of `address` alone.
    public var secretQuery: [SecretField] = []
    public var headers: [WebHeader] = []
    /// Sent to the host of `address` alone, as are headers named Authorization and Cookie.
    public var secretHeaders: [SecretField] = []
    /// nil for none.
    public var body: [UInt8]?
    /// Which machines may be asked.
    public var target: WebTarget = .open(except: [])
    public var deadlines = WebDeadlines()
    /// The most bytes of a body, after decompression.
    public var largestBody = 64 << 20
    /// Whether a longer body is cut there, and so is an answer, instead of an error.
    public var cutsBody = false
    /// Whether an answer of which the end never comes is given as far as it came, marked as cut, instead of an error.
    public var allowsPartialBody = false
    /// How many redirects are followed; 0 gives the redirect itself as the answer.
    public var redirects = 10
    /// Whether a redirect to an address is followed, beside all else that is checked; nil for every address.
    public var allowsRedirect: (@Sendable (WebAddress) -> Bool)?
    public var retry = WebRetry()
    /// What each sending costs; nil when nobody counts.
    public var charge: WebCharge?
    /// How answers are kept; nil when they are not. Only answers to GET are.
    public var cache: CacheUse?
    /// Ends the request when it is cancelled.
    public var token: CancellationToken?

    public init(_ method: WebMethod = .get, _ address: WebAddress) {
        self.method = method
        self.address = address
    }

    /// Every secret the request carries.
    var secrets: [Secret] { (secretQuery + secretHeaders).map(\.value) }
}

/// How a server is asked.
public enum WebMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case delete = "DELETE"

    /// Whether asking twice is no more than asking once, and changes nothing (RFC 9110, 9.2.1).
    public var isSafe: Bool { self == .get || self == .head }
}

/// One header. A line end or a NUL in a value makes the request fail, as `WebError.badRequest`.
public struct WebHeader: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Which machines a request may go to. It is checked on the address that is connected to, at each redirect; behind a
/// proxy, which looks names up by itself, on the name.
public enum WebTarget: Sendable, Equatable {
    /// The host of the address was configured by the user, and may be anywhere. Where it redirects to is `open`.
    case trusted
    /// The address comes from somebody else: private, local and special addresses are refused, but for these.
    case open(except: [WebEndpoint])
}

/// An address in digits and a port, as in the grant `net:127.0.0.1:8080`.
public struct WebEndpoint: Sendable, Hashable {
    public var address: String
    public var port: Int

    public init(_ address: String, port: Int) {
        self.address = address
        self.port = port
    }
}

/// How long a request may take.
public struct WebDeadlines: Sendable, Equatable {
    /// Seconds until there is a connection, name look-up and TLS included.
    public var connect = 10.0
    /// Seconds for everything: redirects, retries and waiting between them.
    public var total = 60.0
    /// Fewer bytes than this a second on average, for `slowSeconds`, end an attempt. Waiting for an answer counts.
    public var slowBytes = 64
    public var slowSeconds = 20

    public init() {}
}
