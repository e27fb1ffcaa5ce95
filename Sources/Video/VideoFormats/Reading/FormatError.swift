// Errors of reading an input, including error replies of services. A skipped record is not an error; an error reply of
// a service always is, at any place in the input.

import JSON

/// An input that cannot be read.
public enum FormatError: Error, Sendable, Equatable {
    /// A document that is not JSON.
    case malformed(JSONError)
    /// An invalid document of another format. Line and column count from 1.
    case badDocument(format: String, line: Int, column: Int, reason: String)
    /// Compressed input that is damaged, with the reason.
    case badGzip(String)
    /// With `strict`: a record that cannot be read.
    case badRecord(RecordPlace, reason: String)
    /// The input matches none of the formats.
    case unrecognised(considered: [String])
    case unknownFormat(String, known: [String])
    /// A record of a later version of ythost's own format.
    case newerVersion(Int64)
    /// A document or line exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// An error reply of a service.
    case refused(ServiceRefusal)
}

/// An error reply of a service. The meaning of its reasons depends on the service.
public struct ServiceRefusal: Sendable, Equatable {
    /// The service's name, as in the field `provider`.
    public var service: String
    /// The HTTP status given in the body. nil if missing.
    public var code: Int64?
    /// The service's error code, such as quotaExceeded.
    public var reason: String?
    /// A more specific code, such as API_KEY_INVALID in addition to badRequest.
    public var detail: String?
    public var domain: String?
    /// The invalid parameter.
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

/// The position of a record in its input, from 1.
public enum RecordPlace: Sendable, Equatable, CustomStringConvertible {
    /// A line of JSON Lines, or the first line of the record in another document.
    case line(Int)
    /// An element of a document's array of records.
    case row(Int)

    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .row(let number): "record \(number)"
        }
    }
}

/// A remark on a record that was read.
public struct RecordNote: Sendable, Equatable, CustomStringConvertible {
    public var place: RecordPlace
    public var text: String

    public var description: String { "\(place): \(text)" }
}

/// A skipped record.
public struct SkippedRecord: Sendable, Equatable, CustomStringConvertible {
    public var place: RecordPlace
    public var reason: String

    public var description: String { "\(place): \(reason)" }
}

extension FormatError {
    /// The error for input above the limit or above the available memory, whichever is lower, in bytes.
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
