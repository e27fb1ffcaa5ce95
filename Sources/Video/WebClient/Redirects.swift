// A request and its redirects. The key goes to the first host only, even if a later redirect returns to it, and even if
// the server copied the key into the redirect URL.

import Basics

struct Redirects {
    private let request: WebRequest
    private let configuration: WebConfiguration
    private let redaction: Redaction
    private var address: WebAddress
    private var method: WebMethod
    private var body: [UInt8]?
    /// Whether all requests so far went to the first host, which counts each of them.
    private(set) var isHome = true
    /// Requests already made, to detect redirect loops.
    private var seen: Set<String> = []
    /// Number of requests sent.
    private(set) var sent = 0

    init(_ request: WebRequest, _ configuration: WebConfiguration) {
        self.request = request
        self.configuration = configuration
        redaction = Redaction(request.secrets)
        address = request.address
        address.fragment = nil
        method = request.method
        body = request.body
    }

    // MARK: The next exchange

    /// - Parameter seconds: remaining seconds until the deadline.
    mutating func exchange(seconds: Double) throws(WebError) -> Exchange {
        try check()
        guard seconds > 0 else { throw .timedOut(host: address.host ?? "", .answer) }
        var deadlines = request.deadlines
        deadlines.total = seconds
        let proxy = configuration.environment.proxy(for: address)
        let exceptions = try exceptions(behindProxy: proxy != nil)
        sent += 1
        return Exchange(
            method: method, address: address, url: url, headers: try headers(), body: body, proxy: proxy,
            authorityFile: configuration.environment.authorityFile,
            authorityFolder: configuration.environment.authorityFolder, deadlines: deadlines,
            largestBody: request.largestBody, cutsBody: request.cutsBody, allowsPartialBody: request.allowsPartialBody,
            exceptions: exceptions, redaction: redaction)
    }

    private func check() throws(WebError) {
        guard address.scheme == "http" || address.scheme == "https" else {
            throw .badRequest("the address is neither http nor https")
        }
        guard let host = address.host, !host.isEmpty else { throw .badRequest("the address has no host") }
        if address.userInformation != nil { throw .badRequest("the address has a login in it") }
    }

    /// Whether the written address may be requested. The addresses of its host name are checked on connecting.
    var mayBeAsked: Bool {
        do throws(WebError) { _ = try exceptions(behindProxy: true) } catch { return false }
        return true
    }

    /// The private endpoints that may be connected to. nil if every address is allowed.
    private func exceptions(behindProxy: Bool) throws(WebError) -> [WebEndpoint]? {
        let exceptions: [WebEndpoint]
        switch request.target {
        case .trusted where isHome: return nil
        case .trusted: exceptions = []
        case .open(let except): exceptions = except
        }
        // The proxy resolves the name and connects, so only the name can be checked.
        let host = WebEnvironment.bare(address.host ?? "")
        let resolved = WebEnvironment.asResolved(host)
        let place = NetworkAddress(loose: resolved ?? host)
        let isException = exceptions.contains { exception in
            place != nil && place == NetworkAddress(exception.address) && exception.port == port
        }
        if behindProxy, !isException, place?.isPublic == false || resolved.map(WebEnvironment.isLocal) ?? true {
            throw .refusedTarget(host: host, address: place?.description ?? host)
        }
        return exceptions
    }

    private var port: Int { address.port ?? (address.scheme == "https" ? 443 : 80) }

    /// The URL to send, secrets included.
    private var url: String {
        var sent = address
        sent.path = Self.sendable(address.path)
        if sent.path.isEmpty { sent.path = "/" }
        sent.query = address.query.map(Self.sendable)
        if isHome, !request.secretQuery.isEmpty {
            let secret = WebAddress.query(request.secretQuery.map { .init($0.name, $0.value.reveal()) })
            sent.query = (sent.query.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + secret
        }
        return sent.description
    }

    /// Percent-encodes non-ASCII characters and those that RFC 3986 does not allow.
    private static func sendable(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    private func headers() throws(WebError) -> [String] {
        var headers = request.headers
        if !isHome {
            headers.removeAll { header in Self.personal.contains { WebHeaders.same($0, header.name) } }
        }
        if !headers.contains(where: { WebHeaders.same($0.name, "User-Agent") }) {
            headers.append(WebHeader("User-Agent", configuration.userAgent))
        }
        if isHome { headers += request.secretHeaders.map { WebHeader($0.name, $0.value.reveal()) } }
        // Otherwise libcurl waits for "100 Continue" before a long body, which few servers send.
        if body != nil { headers.append(WebHeader("Expect", "")) }
        var lines: [String] = []
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.belongsInName),
                !header.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 })
            else { throw .badRequest("a header has a name or a value that cannot be sent") }
            // For libcurl, `Name:` removes a header, which is meant only for Expect; `Name;` sends an empty one.
            let isEmpty = header.value.isEmpty && !WebHeaders.same(header.name, "Expect")
            lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        return lines
    }

    private static let personal = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// Whether a byte may occur in a token (RFC 9110, 5.6.2).
    private static func belongsInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // MARK: After a response

    /// Follows a redirect. Returns false if the response is not one, or redirects are not followed.
    mutating func moves(on response: WebResponse) throws(WebError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"],
            request.redirects > 0
        else { return false }
        let from = address.host ?? ""
        guard let reference = WebAddress(location) else { throw .badRedirect(host: from, .address) }
        var next = address.resolving(reference)
        next.fragment = nil
        guard next.scheme == "http" || next.scheme == "https" else {
            throw .badRedirect(host: from, .scheme(next.scheme ?? ""))
        }
        guard next.host?.isEmpty == false, next.userInformation == nil else {
            throw .badRedirect(host: from, .address)
        }
        // 303 always becomes GET; 301 and 302 turn POST into GET, as all clients do (RFC 9110, 15.4).
        if response.status == 303 ? method != .head : response.status < 303 && method == .post {
            method = .get
            body = nil
        }
        let staysHome = isHome && isSameHost(next)
        if !staysHome {
            let hasSecrets = !request.secrets.isEmpty
            if isHome, hasSecrets, address.scheme == "https", next.scheme == "http" {
                throw .badRedirect(host: from, .insecure)
            }
            if redaction.finds(in: next.description) { throw .badRedirect(host: from, .secret) }
            // The body itself may be secret, for example the code of a login.
            if body != nil { throw .badRedirect(host: from, .secret) }
        }
        guard sent <= request.redirects else { throw .tooManyRedirects(host: from, count: request.redirects) }
        // A server that echoes the query may echo the key: remove it, since `url` adds it again.
        if staysHome, !request.secretQuery.isEmpty, let query = next.query {
            let names = request.secretQuery.map(\.name)
            let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { item in
                let name = item.prefix { $0 != "=" }
                return !names.contains(WebAddress.decode(String(name), plusIsSpace: true))
            }
            next.query = kept.isEmpty ? nil : kept.joined(separator: "&")
            if redaction.finds(in: next.description) { throw .badRedirect(host: from, .secret) }
        }
        if let allows = request.allowsRedirect, !allows(next) {
            throw .badRedirect(host: from, .notAllowed(host: next.host ?? ""))
        }
        let key = "\(method.rawValue) \(next)"
        guard seen.insert(key).inserted else { throw .tooManyRedirects(host: from, count: sent) }
        isHome = staysHome
        address = next
        return true
    }

    /// Whether the next address has the same host and port, or is the https address of the same host.
    private func isSameHost(_ next: WebAddress) -> Bool {
        guard next.host == address.host else { return false }
        if next.scheme == address.scheme { return (next.port ?? 0) == (address.port ?? 0) || port == Self.port(next) }
        return address.scheme == "http" && port == 80 && Self.port(next) == 443
    }

    private static func port(_ address: WebAddress) -> Int { address.port ?? (address.scheme == "https" ? 443 : 80) }
}
