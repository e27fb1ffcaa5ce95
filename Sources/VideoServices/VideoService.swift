// What every service offers to the floors above. A service answers with the bytes it got and says how to read them;
// records are made from them by whoever asked, which may be another process.

import VideoFormats
import VideoModel

/// A place where videos are searched.
public protocol VideoService: Sendable {
    /// The word for it in `--source` and in records' `provider`.
    var name: String { get }
    /// One line for `ythost sources`.
    var summary: String { get }
    /// The search options it honours. Any other is refused before anything is sent.
    var honoured: Set<SearchOption> { get }

    /// Whether it answers from this machine alone: asking it costs nothing, and nobody learns of it.
    var isLocal: Bool { get }

    /// One page of results.
    ///
    /// - Parameters:
    ///   - limit: how many rows are wanted at most; a service may send more.
    ///   - page: nil for the first page, then `SearchPage.next` of the page before.
    func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage
}

/// One page of a service's answer, as bytes to be parsed.
public struct SearchPage: Sendable, Equatable {
    public var body: [UInt8]
    /// The name of the format to read the body with, as `ythost parse --as` takes it.
    public var format: String
    /// What to ask for the next page with; nil at the end.
    public var next: String?
    /// How many results the service says there are, which may be far off.
    public var estimate: Int?
    /// Calls spent at the service for this page.
    public var calls: Int

    public init(body: [UInt8], format: String, next: String? = nil, estimate: Int? = nil, calls: Int = 0) {
        self.body = body
        self.format = format
        self.next = next
        self.estimate = estimate
        self.calls = calls
    }

    /// The records of the body. Lines as the sample library has them are read without JSON's parser, to the same end.
    public func records() throws(FormatError) -> [Video] {
        if format == "ythost", let lines = SampleLines(body) { return lines.records }
        return try RecordReader.read(body, as: format)
    }
}

/// Why a service did not answer. Facts only; words and exit codes are made where errors are shown.
public enum ServiceError: Error, Sendable, Equatable {
    /// The service cannot honour an option at all.
    case optionNotHonoured(service: String, option: SearchOption)
    /// The service knows the option but not this value; the values it can honour, if they are few.
    case valueNotHonoured(service: String, option: SearchOption, value: String, possible: [String])
    /// The query has nothing to search for.
    case emptyQuery(service: String)

    /// The service it came from.
    public var service: String {
        switch self {
        case .optionNotHonoured(let service, _), .valueNotHonoured(let service, _, _, _), .emptyQuery(let service):
            service
        }
    }
}

extension VideoService {
    public var isLocal: Bool { false }

    /// Refuses a query whose options the service cannot honour.
    public func check(_ query: SearchQuery) throws(ServiceError) {
        for option in SearchOption.allCases where query.options[option] != nil && !honoured.contains(option) {
            throw .optionNotHonoured(service: name, option: option)
        }
    }
}
