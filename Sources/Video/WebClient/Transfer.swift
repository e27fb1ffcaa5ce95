// One HTTP request over one connection. libcurl calls back on the engine's thread; the sending thread waits on the
// latch and reads the result after it opens.

import Basics
import CCurl
import Threads

/// The input of one transfer.
struct Exchange: Sendable {
    var method: WebMethod
    /// Without secrets.
    var address: WebAddress
    /// With secrets.
    var url: String
    /// `Name: value`, secrets included.
    var headers: [String]
    var body: [UInt8]?
    var proxy: String?
    var authorityFile: String?
    var authorityFolder: String?
    var deadlines: WebDeadlines
    var largestBody: Int
    var cutsBody = false
    var allowsPartialBody = false
    /// Private endpoints that may be connected to. nil if every address is allowed.
    var exceptions: [WebEndpoint]?
    var redaction: Redaction
    var host: String { address.host ?? "" }
}

/// The result of a transfer.
struct ExchangeEnd: Sendable {
    var result: Result<WebResponse, WebError>
    var outcome: SendOutcome
    /// A reused connection turned out to be closed. This is not an error of the server.
    var wasStale = false
}

/// Unchecked: only the engine's thread uses it before `finished` opens, and only the waiting thread afterwards.
final class Transfer: @unchecked Sendable {
    let exchange: Exchange
    let tokens: [CancellationToken]
    let finished = Latch()
    /// libcurl's handle while the transfer is active.
    var handle: OpaquePointer?
    private(set) var end = ExchangeEnd(result: .failure(.cancelled), outcome: .notSent)

    /// The maximum size of all headers, in bytes.
    private static let largestHeader = 256 << 10
    /// The maximum size of one header line, in bytes. This is libcurl's limit.
    private static let longestLine = 100 << 10

    private var status = 0
    private var headers = WebHeaders()
    private var headerBytes = 0
    private var isHeaderWhole = false
    private var body: [UInt8] = []
    private var wasSent = false
    private var isAgain = false
    private var refused: String?
    private var excess: Int?
    private var isCut = false
    private var decoder: ContentDecoder?
    private var isDecoderChosen = false
    private var undecoded: ContentDecoder.Failure?

    init(_ exchange: Exchange, tokens: [CancellationToken]) {
        self.exchange = exchange
        self.tokens = tokens
    }

    var isCancelled: Bool { tokens.contains { $0.isCancelled } }

    /// Ends the transfer with an error before libcurl ended it.
    func stop(_ error: WebError) { finish(.failure(error)) }

    private func finish(_ result: Result<WebResponse, WebError>) {
        let isAnswered = if case .success = result { true } else { isHeaderWhole }
        end = ExchangeEnd(
            result: result, outcome: isAnswered ? .answered : wasSent ? .unknown : .notSent, wasStale: isAgain)
        finished.open()
    }

    // MARK: Callbacks of libcurl

    func take(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.largestHeader else {
            excess = Self.largestHeader
            return false
        }
        if line.starts(with: "HTTP/".utf8) {
            let code = line.drop { $0 != 0x20 }.dropFirst().prefix(3)
            status = Int(String(decoding: code, as: UTF8.self)) ?? 0
            headers = WebHeaders()
            isHeaderWhole = false
        } else if line.isEmpty {
            isHeaderWhole = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            var value = line[(colon + 1)...].drop(while: isSpace)
            while let last = value.last, isSpace(last) { value = value.dropLast() }
            headers.append(WebHeader(name, String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    func take(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(ContentDecoder.Failure) {
            if !isDecoderChosen {
                isDecoderChosen = true
                decoder = try ContentDecoder(headers["Content-Encoding"])
            }
            guard let decoder else { return append(bytes) }
            return try decoder.decode(bytes) { append($0) }
        } catch {
            undecoded = error
            return false
        }
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= exchange.largestBody else {
            if exchange.cutsBody {
                body.append(contentsOf: bytes[..<(exchange.largestBody - body.count)])
                isCut = true
                return false
            }
            excess = exchange.largestBody
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Whether a connection to this address and port is allowed.
    func allows(_ place: (address: NetworkAddress, port: Int)?) -> Bool {
        guard let exceptions = exchange.exceptions, exchange.proxy == nil else { return true }
        guard let (address, port) = place else {
            refused = "?"
            return false
        }
        let isException = exceptions.contains { $0.port == port && NetworkAddress($0.address) == address }
        if address.isPublic || isException { return true }
        refused = address.description
        return false
    }

    /// Called before the request is sent over a connection, new or reused. Returns whether to send it.
    func isReady(_ address: String, port: Int) -> Bool {
        // libcurl resends by itself if a reused connection is dead. The server may have received the first request, so
        // stop here: each request has to be counted in the quota before it is sent.
        if wasSent {
            isAgain = true
            return false
        }
        guard allows(NetworkAddress(address).map { ($0, port) }) else { return false }
        wasSent = true
        return true
    }

    /// - Parameter words: libcurl's error text.
    func ended(_ result: ccurl_result, reason words: String) {
        let host = exchange.host
        let reason = exchange.redaction(words)
        let error: WebError
        if exchange.allowsPartialBody, isPart(result) { isCut = true }
        switch result.ending {
        case CCURL_DONE where isHeaderWhole && !isCut && decoder?.isWhole == false: error = .truncated(host: host)
        case _ where isCut && isHeaderWhole && refused == nil, CCURL_DONE where isHeaderWhole:
            var response = WebResponse(status: status, headers: headers, body: body, address: exchange.address)
            response.version = Int(result.version)
            response.isCut = isCut
            return finish(.success(response))
        case _ where isAgain: error = .reset(host: host, reason: "the connection had been closed")
        case _ where refused != nil: error = .refusedTarget(host: host, address: refused ?? "")
        case _ where excess != nil: error = .tooLarge(host: host, limit: excess ?? 0)
        case _ where undecoded == .noMemory: error = .outOfMemory
        case _ where undecoded != nil: error = .badEncoding(host: host)
        case CCURL_BAD_ADDRESS where wasSent: error = .badAnswer(host: host, reason: reason)
        case CCURL_BAD_ADDRESS: error = .badRequest(reason)
        case CCURL_NO_PROXY: error = .noProxy(reason: reason)
        case CCURL_NO_HOST: error = .noHost(host)
        case CCURL_NO_CONNECTION: error = .noConnection(host: host, reason: reason)
        case CCURL_NO_TLS: error = .noTLS(host: host, reason: reason)
        case CCURL_TIMEOUT: error = .timedOut(host: host, phase(result, reason))
        case CCURL_RESET where isHeaderWhole: error = .truncated(host: host)
        case CCURL_RESET: error = .reset(host: host, reason: reason)
        case CCURL_TRUNCATED: error = .truncated(host: host)
        case CCURL_STOPPED: error = .truncated(host: host)
        case CCURL_DONE where status > 0: error = .reset(host: host, reason: "the header was cut short")
        case CCURL_BAD_ANSWER, CCURL_DONE: error = .badAnswer(host: host, reason: reason)
        // libcurl reports a header line that is too long as out of memory.
        case CCURL_NO_MEMORY where wasSent && !isHeaderWhole: error = .tooLarge(host: host, limit: Self.longestLine)
        case CCURL_NO_MEMORY: error = .outOfMemory
        default: error = .other(host: host, reason: reason)
        }
        finish(.failure(error))
    }

    /// Whether the only error is a truncated body.
    private func isPart(_ result: ccurl_result) -> Bool {
        guard isHeaderWhole, !body.isEmpty, !isAgain, excess == nil, undecoded == nil else { return false }
        switch result.ending {
        case CCURL_DONE: return decoder?.isWhole == false
        case CCURL_RESET, CCURL_TRUNCATED: return true
        default: return false
        }
    }

    private func phase(_ result: ccurl_result, _ reason: String) -> WebPhase {
        if !wasSent { return result.resolved ? .connection : .name }
        // libcurl's error text for a transfer below the speed limit.
        return reason.hasPrefix("Operation too slow") ? .slow : .answer
    }
}
