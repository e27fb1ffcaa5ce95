// A read of a service's own API by a plugin that knows it: the service adds the key, the cost and the cache.

import WebClient

/// A GET below the address of a service's API.
public struct ServiceRequest: Sendable, Equatable {
    /// Such as `videos`; without a host, a query or steps up.
    public var path: String
    /// Names and values, in their order.
    public var query: [Item]
    /// How kept answers are used; nil for the way of the run.
    public var policy: CachePolicy?
    /// Whether the answer is kept.
    public var stores = true
    /// Seconds for everything, retries included; nil for as long as the service is usually given.
    public var timeout: Double?

    /// A name and its value, as they are meant.
    public struct Item: Sendable, Equatable {
        public var name: String
        public var value: String
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(_ path: String, query: [Item] = []) {
        self.path = path
        self.query = query
    }

    /// The parts of the path; nil when it leads elsewhere than below the API's address.
    var segments: [String]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
                && part.utf8.allSatisfy { byte in
                    byte > 0x20 && byte < 0x7F && !"?#%\\@\"<>".utf8.contains(byte)
                }
        }
        return isPlain ? parts : nil
    }
}

/// What a service answered to one.
public struct ServiceAnswer: Sendable, Equatable {
    /// Whatever its status; no secret is in it.
    public var response: WebResponse
    /// Calls that it cost.
    public var calls: Int
    /// Why an old answer was given in its place.
    public var fallback: SearchPage.Fallback?

    public init(response: WebResponse, calls: Int, fallback: SearchPage.Fallback? = nil) {
        self.response = response
        self.calls = calls
        self.fallback = fallback
    }
}
