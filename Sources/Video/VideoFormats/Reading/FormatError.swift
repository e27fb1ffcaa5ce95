// Why an input gave no records, and what a service said when it answered with an error. A record that is skipped is no
// error; a service's refusal always is, wherever in the input it stands.

import JSON

/// An input that cannot be read.
public enum FormatError: Error, Sendable, Equatable {
    /// A document that is not JSON.
    case malformed(JSONError)
    /// A document of a format other than JSON that cannot be read, and where: line and column count from 1.
    case badDocument(format: String, line: Int, column: Int, reason: String)
    /// Compressed input that is damaged, and how.
    case badGzip(String)
    /// With `strict`: a record that cannot be read.
    case badRecord(RecordPlace, reason: String)
    /// JSON, or something else, that none of the formats knows.
    case unrecognised(considered: [String])
    case unknownFormat(String, known: [String])
    /// Records of a later version of ythost's own format.
    case newerVersion(Int64)
    /// More bytes than a document or a line may have.
    case tooLarge(limit: Int)
    /// A service's answer that says why there is no answer.
    case refused(ServiceRefusal)
}

/// An error reply of a service. Which reasons mean what is the service's business.
public struct ServiceRefusal: Sendable, Equatable {
    /// The service's name, as records have it in `provider`.
    public var service: String
    /// The HTTP status that the body repeats.
    public var code: Int64?
    /// The service's word for what happened, such as quotaExceeded.
    public var reason: String?
    /// A finer word where there is one, such as API_KEY_INVALID beside badRequest.
    public var detail: String?
    public var domain: String?
    /// The parameter that was wrong.
    public var location: String?
    /// Plain text without markup.
    public var message: String

    public init(
        service: String, code: Int64? = nil, reason: String? = nil, detail: String? = nil, domain: String? = nil,
        location: String? = nil, message: String
    ) {
        self.service = service
        self.code = code
        self.reason = reason
        self.detail = detail
        self.domain = domain
        self.location = location
        self.message = message
    }
}

/// Where a record stands in its input; both count from 1.
public enum RecordPlace: Sendable, Equatable, CustomStringConvertible {
    /// A line of JSON Lines, or the line a record of another document begins on.
    case line(Int)
    /// An element of a document's rows.
    case row(Int)

    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .row(let number): "record \(number)"
        }
    }
}

/// A record that was left out.
public struct SkippedRecord: Sendable, Equatable, CustomStringConvertible {
    public var place: RecordPlace
    public var reason: String

    public var description: String { "\(place): \(reason)" }
}

extension FormatError {
    /// More bytes than are allowed, or than there is memory for, whichever is less.
    package static func overflow(limit: Int, room: Int) -> FormatError {
        room < limit
            ? .malformed(JSONError(offset: room, line: 1, column: 1, reason: .noMemory)) : .tooLarge(limit: limit)
    }
}

extension FormatError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let error): "not JSON: \(error)"
        case .badDocument(let format, let line, let column, let reason):
            "cannot be read as \(format): line \(line), column \(column): \(reason)"
        case .badGzip(let reason): "the gzip data is damaged: \(reason)"
        case .badRecord(let place, let reason): "\(place): \(reason)"
        case .unrecognised(let considered):
            "this is no format that is read here; considered: " + considered.joined(separator: ", ")
        case .unknownFormat(let name, let known):
            "there is no format \"\(name)\"; there are: " + known.joined(separator: ", ")
        case .newerVersion(let version):
            "written by a later ythost (format version \(version)); update ythost to read it"
        case .tooLarge(let limit): "one document or line of more than \(limit >> 20) MiB"
        case .refused(let refusal): refusal.description
        }
    }
}

extension ServiceRefusal: CustomStringConvertible {
    public var description: String {
        let words = [detail ?? reason, code.map(String.init)].compactMap { $0 }
        return "\(service): \(message)" + (words.isEmpty ? "" : " (" + words.joined(separator: ", ") + ")")
    }
}
