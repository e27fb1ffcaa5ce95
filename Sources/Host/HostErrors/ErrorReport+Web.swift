// Reports for requests that got no reply.

import Basics
import WebClient

extension ErrorReport {
    /// - Parameter source: the service requested, if any.
    package init(_ error: WebError, source: String?) {
        let (message, hint) = Self.words(error)
        self.init(code: .network, kind: "network", message: message, hint: hint, source: source)
        switch error {
        case .noLibrary: (code, kind) = (.configuration, "configuration")
        case .badRequest: (code, kind) = (.usage, "usage")
        // A service that redirects here is faulty. A plugin that requests it directly lacks the grant.
        case .refusedTarget where source == nil: (code, kind) = (.refused, "grant")
        case .refusedTarget: (kind, self.hint) = ("service", nil)
        case .quotaSpent(_, let status): (code, kind, retryAt) = (.quota, "quota", status.resets)
        case .notCounted: (code, kind) = (.configuration, "counts")
        case .notKept: kind = "offline"
        case .cancelled: kind = "cancelled"
        case .outOfMemory: (code, kind) = (.refused, "memory")
        default: break
        }
    }

    private static func words(_ error: WebError) -> (String, hint: String?) {
        switch error {
        case .noLibrary(let reason):
            ("libcurl cannot be loaded: \(reason)", "Debian has it as libcurl4")
        case .badRequest(let reason): (reason, nil)
        case .noHost(let host): ("there is no host '\(host)'", "see whether the name is right and the network is up")
        case .noProxy(let reason): ("the proxy does not answer: \(reason)", "http_proxy and https_proxy name it")
        case .noConnection(let host, let reason):
            ("cannot connect to \(host): \(reason)", "see whether the network is up; nobody may listen there")
        case .noTLS(let host, let reason):
            ("no safe connection to \(host): \(reason)", "CURL_CA_BUNDLE names a file of authorities to trust")
        case .timedOut(let host, let phase): ("\(host) did not answer in time: \(words(phase))", "try again later")
        case .reset(let host, let reason): ("\(host) ended the connection: \(reason)", nil)
        case .truncated(let host): ("the answer of \(host) ended too early", nil)
        case .tooLarge(let host, let limit): ("the answer of \(host) is over \(limit) bytes long", nil)
        case .badEncoding(let host): ("the answer of \(host) is not compressed as it says", nil)
        case .badAnswer(let host, let reason): ("the answer of \(host) is no HTTP: \(reason)", nil)
        case .tooManyRedirects(let host, let count):
            (
                "\(host) redirects in a circle or too often: \(count) times",
                "the address may be an old one: ask for where it should lead"
            )
        case .badRedirect(let host, let fault):
            (
                "\(host) redirects to \(words(fault))",
                "it is not followed: ask for the address that is meant, if you trust it"
            )
        case .refusedTarget(let host, let address):
            (
                host == address ? "\(host) is a private address" : "\(host) is at \(address), a private address",
                "the grant of a name covers none: ask for the address itself, with --allow net:\(bracketed(address)):PORT"
            )
        case .quotaSpent(let bucket, let status):
            (
                "the \(bucket.name) quota of \(bucket.service) is used up: \(status.spent) of "
                    + "\(status.limit.map(String.init) ?? "?") are spent",
                status.resets.map { "it begins anew at \(Timestamp.format($0, as: .rfc3339))" }
            )
        case .notCounted(let bucket, let error):
            ("calls to \(bucket.service) cannot be counted, so none is made: \(error.words)", error.remedy)
        case .notKept:
            ("nothing may be sent, and there is no kept answer", "without --offline and --dry-run it is asked for")
        case .cancelled: ("the request was given up", nil)
        case .outOfMemory: ("there is no memory to send a request", nil)
        case .other(let host, let reason): ("\(host): \(reason)", nil)
        }
    }

    /// The host as written before a port.
    private static func bracketed(_ address: String) -> String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
    }

    private static func words(_ phase: WebPhase) -> String {
        switch phase {
        case .name: "its name was not found"
        case .connection: "there was no connection"
        case .answer: "the answer did not come, or not whole"
        case .slow: "the answer came too slowly"
        }
    }

    private static func words(_ fault: WebRedirectFault) -> String {
        switch fault {
        case .scheme(let scheme): "'\(scheme)', which is neither http nor https"
        case .address: "what is no address"
        case .secret: "another host, and would take secrets along"
        case .insecure: "an unencrypted address, and would take secrets along"
        case .notAllowed(let host): "\(host), which may not be asked"
        }
    }
}
