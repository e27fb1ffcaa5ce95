// What every service offers to the floors above. A service answers with the bytes it got and says how to read them;
// records are made from them by whoever asked, which may be another process.

import Basics
import VideoFormats
import VideoModel

/// A place where videos are searched and looked up. Any number of threads may ask one at the same time; asking blocks.
public protocol VideoService: Sendable {
    /// The word for it in `--source` and in records' `provider`.
    var name: String { get }
    /// One line for `ythost sources`.
    var summary: String { get }
    /// The search options it honours. Any other is refused before anything is sent.
    var honoured: Set<SearchOption> { get }
    /// Where it honours an option for some values only, these. Any other is refused, too.
    var honouredValues: [SearchOption: [String]] { get }

    /// Whether it answers from this machine alone: asking it costs nothing, and nobody learns of it.
    var isLocal: Bool { get }

    /// The program of this machine that it runs; nil for none. Plugins ask such a service only where the user chose it, or
    /// lets them run the program.
    var program: String? { get }

    /// Whether only the account itself may see what a search is confined to: a plugin then needs the grant
    /// `account:SERVICE`.
    func isPrivate(_ query: SearchQuery) -> Bool
    /// The same of a look-up.
    func isPrivate(_ question: LookUp) -> Bool

    /// What can be looked up.
    var lookUps: Set<LookUp.Kind> { get }

    /// Fields that a look-up of many videos in one call tells and other replies may lack; empty where there is none, or
    /// no key for it.
    var lookUpFields: Set<VideoField> { get }

    /// One page of results.
    ///
    /// - Parameters:
    ///   - limit: how many rows are wanted at most; a service may send more.
    ///   - page: nil for the first page, then `SearchPage.next` of the page before.
    func search(_ query: SearchQuery, limit: Int, page: String?) throws(ServiceError) -> SearchPage

    /// One page of what is asked for by name. Nothing found is a page without rows.
    ///
    /// - Parameters: as for `search`.
    func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage

    /// A read of the service's own API, with its key.
    func request(_ request: ServiceRequest) throws(ServiceError) -> ServiceAnswer

    /// The calls that a search would make for so many rows, and looking them up for `fields` afterwards. Sends nothing.
    func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]

    /// The same for a look-up.
    func plan(_ question: LookUp, limit: Int?) throws(ServiceError) -> [PlannedCalls]

    /// The same for a read of its API.
    func plan(_ request: ServiceRequest) throws(ServiceError) -> [PlannedCalls]
}

/// One page of a service's answer, as bytes to be parsed.
public struct SearchPage: Sendable, Equatable {
    /// A document, or several as JSON Lines.
    public var body: [UInt8]
    /// The name of the format to read the body with, as `ythost parse --as` takes it.
    public var format: String
    /// What to ask for the next page with; nil at the end.
    public var next: String?
    /// What to ask for the page before with; nil at the beginning, and where a service cannot go back.
    public var previous: String?
    /// What to ask for the first and the last page with, where a service counts its pages.
    public var first: String?
    public var last: String?
    /// How many results there are, where a service knows exactly.
    public var total: Int?
    /// How many results the service says there are, which may be far off.
    public var estimate: Int?
    /// Calls spent at the service for this page.
    public var calls: Int
    /// How many answers behind this page were kept ones, and cost no call.
    public var kept = 0
    /// Whether the service counts calls: nobody then asks for more pages than were asked for.
    public var isCounted = false
    /// What looking up the videos of this page would tell beyond the page itself; empty where that is not offered.
    public var tells: Set<VideoField> = []
    /// The words as they were sent, where the service gives some of them a meaning.
    public var asked: String?
    /// Set when the page is an old answer that stands in for one that could not be had.
    public var fallback: Fallback?
    /// What a person should know of the page, in words; why it is an old one is added later.
    public var remark: String?
    /// Nothing was asked, in a run that only tells its calls, so that nobody knows what the page would hold.
    public var isUnknown = false

    /// Why an old answer was given.
    public struct Fallback: Sendable, Equatable {
        /// Seconds since it was new or confirmed.
        public var age: Int64
        public var reason: ServiceError
    }

    public init(body: [UInt8], format: String, next: String? = nil, estimate: Int? = nil, calls: Int = 0) {
        self.body = body
        self.format = format
        self.next = next
        self.estimate = estimate
        self.calls = calls
    }
}

extension VideoService {
    public var isLocal: Bool { false }
    public var program: String? { nil }
    public var honouredValues: [SearchOption: [String]] { [:] }
    public var lookUps: Set<LookUp.Kind> { [] }
    public var lookUpFields: Set<VideoField> { [] }
    public func isPrivate(_ query: SearchQuery) -> Bool { false }
    public func isPrivate(_ question: LookUp) -> Bool { false }

    public func lookUp(_ question: LookUp, limit: Int, page: String?) throws(ServiceError) -> SearchPage {
        throw .lookUpNotOffered(service: name, question.kind)
    }

    public func request(_ request: ServiceRequest) throws(ServiceError) -> ServiceAnswer {
        throw .requestNotOffered(service: name)
    }

    public func plan(_ query: SearchQuery, limit: Int?, fields: Set<VideoField>) throws(ServiceError) -> [PlannedCalls]
    {
        try check(query)
        return []
    }

    public func plan(_ question: LookUp, limit: Int?) throws(ServiceError) -> [PlannedCalls] {
        guard lookUps.contains(question.kind) else { throw .lookUpNotOffered(service: name, question.kind) }
        return []
    }

    public func plan(_ request: ServiceRequest) throws(ServiceError) -> [PlannedCalls] {
        throw .requestNotOffered(service: name)
    }

    /// Refuses a query whose options the service cannot honour.
    public func check(_ query: SearchQuery) throws(ServiceError) {
        for option in SearchOption.allCases where query.options[option] != nil && !honoured.contains(option) {
            throw .optionNotHonoured(service: name, option: option)
        }
        let values = honouredValues
        for option in SearchOption.allCases {
            if let possible = values[option], let value = query.options[option]?.text, !possible.contains(value) {
                throw .valueNotHonoured(service: name, option: option, value: value, possible: possible)
            }
        }
    }
}
