// What a service says itself when it refuses, beside what that means here. No secret is in it.

/// A refusal in the service's own words. Any of them may be missing.
public struct ServiceErrorDetails: Sendable, Equatable {
    /// The status of the answer.
    public var status: Int?
    /// The service's number or word for what happened, such as 2204 or quotaExceeded.
    public var code: String?
    /// For people who use an app.
    public var forUsers: String?
    /// For people who write one.
    public var forDevelopers: String?
    /// Parameters that make no sense to it.
    public var invalid: [Parameter]

    /// A parameter, and what is wrong with it.
    public struct Parameter: Sendable, Equatable {
        public var field: String?
        public var code: String?
        public var forUsers: String?
        public var forDevelopers: String?

        public init(field: String?, code: String? = nil, forUsers: String? = nil, forDevelopers: String? = nil) {
            (self.field, self.code, self.forUsers, self.forDevelopers) = (field, code, forUsers, forDevelopers)
        }
    }

    public init(
        status: Int? = nil, code: String? = nil, forUsers: String? = nil, forDevelopers: String? = nil,
        invalid: [Parameter] = []
    ) {
        self.status = status
        self.code = code
        self.forUsers = forUsers
        self.forDevelopers = forDevelopers
        self.invalid = invalid
    }

    /// All of it in sentences, each once; nil when nothing is said.
    var sentences: String? {
        var told: [String] = []
        let texts = [forUsers, forDevelopers] + invalid.map { $0.forDevelopers ?? $0.forUsers }
        for text in texts.compactMap(\.self) where !told.contains(text) { told.append(text) }
        return told.isEmpty
            ? nil : told.map { [".", "!", "?"].contains($0.last) ? $0 : $0 + "." }.joined(separator: " ")
    }

    /// The same with the code behind it.
    public var text: String? {
        sentences.map { $0 + (code.map { " (\($0))" } ?? "") } ?? code.map { "code \($0)" }
    }

    /// The names of the parameters; nil when none is named.
    var fields: String? {
        let names = invalid.compactMap(\.field)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension ServiceError {
    /// The error with what the service said, if it said anything.
    func told(_ words: ServiceErrorDetails) -> ServiceError {
        words.text == nil && (words.status == nil || status != nil) ? self : .told(plain, words)
    }

    /// What it means, without the service's words.
    public var plain: ServiceError { if case .told(let error, _) = self { error.plain } else { self } }

    /// What the service said; nil when it said nothing.
    public var words: ServiceErrorDetails? {
        switch self {
        case .told(_, let words): words
        case .refused(_, let status, let reason, let parameter, let message):
            ServiceErrorDetails(
                status: status, code: reason, forDevelopers: message,
                invalid: parameter.map { [.init(field: $0)] } ?? [])
        case .notThere(_, let status, let reason?, let message):
            ServiceErrorDetails(status: status, code: reason, forDevelopers: message)
        default: nil
        }
    }
}
