// Why a service did not answer. Facts only; words and exit codes are made where errors are shown. No case holds a secret.

import Threads
import WebClient

/// Why a service did not answer.
public indirect enum ServiceError: Error, Sendable, Equatable {
    /// The service cannot honour an option at all.
    case optionNotHonoured(service: String, option: SearchOption)
    /// The service knows the option but not this value; the values it can honour, if they are few.
    case valueNotHonoured(service: String, option: SearchOption, value: String, possible: [String])
    /// The query has nothing to search for.
    case emptyQuery(service: String)
    /// A value that no service could make sense of, and what is expected instead.
    case badOption(service: String, option: SearchOption, value: String, expected: String)
    /// The service has nothing of that name; what it has.
    case unknownName(service: String, option: SearchOption, value: String, known: [String])
    /// The option means something only together with another one.
    case optionAlone(service: String, option: SearchOption, without: SearchOption)
    /// The option is only for one kind of results, and another one is asked for.
    case optionForType(service: String, option: SearchOption, type: String, asked: String)
    /// Two options that the service cannot honour together.
    case optionsExclude(service: String, SearchOption, SearchOption)
    case lookUpNotOffered(service: String, LookUp.Kind)
    /// Plugins cannot read the service's API themselves.
    case requestNotOffered(service: String)
    /// A read of the service's API that makes no sense.
    case badRequest(service: String, reason: String)
    /// A reference that names nothing that can be looked up so, and why.
    case badReference(service: String, LookUp.Kind, text: String, reason: String)
    case noKey(service: String, KeyLack)
    /// The service does not take the key, from where it was taken.
    case keyRefused(service: String, KeyFault, from: KeyOrigin)
    /// The address that a variable sets is none, or neither http nor https.
    case badAddress(service: String, variable: String)
    /// What was given as a key can be none.
    case keyMalformed(service: String)
    case credentials(service: String, CredentialError)
    /// A login that came to nothing.
    case loginFailed(service: String, LoginFault)
    /// The quota of a bucket is used up: by what was counted here, or by what the service said.
    case quotaSpent(service: String, bucket: String, limit: Int?, resets: Int64?)
    /// A search would take more calls than a bucket has left; nothing was sent. So many rows would fit.
    case quotaShort(service: String, bucket: String, needed: Int, left: Int, fits: Int)
    /// Asked too often in a short time; seconds to wait, when the service says so.
    case tooFast(service: String, status: Int, wait: Int64?)
    /// Trouble at the service; seconds to wait, when it says so.
    case unavailable(service: String, status: Int, wait: Int64? = nil)
    /// The service says that the request makes no sense; the parameter it names.
    case refused(service: String, status: Int, reason: String?, parameter: String?, message: String)
    /// The service says that there is no such thing, or that nobody may see it.
    case notThere(service: String, status: Int, reason: String?, message: String)
    /// The program that the service is asked by is not on PATH.
    case noProgram(service: String, program: String)
    case programFailed(service: String, ProgramFailure)
    /// An answer that cannot be read, to which call, and why.
    case badAnswer(service: String, method: String? = nil, reason: String)
    /// No answer came.
    case unreachable(service: String, WebError)
    /// Nothing may be sent, and there is no kept answer.
    case offline(service: String)
    /// Any other, with what the service said: `plain` takes that off, and `words` gives it.
    case told(ServiceError, ServiceErrorDetails)

    /// The service it came from.
    public var service: String {
        switch self {
        case .noProgram(let service, _), .programFailed(let service, _), .optionNotHonoured(let service, _),
            .valueNotHonoured(let service, _, _, _), .emptyQuery(let service), .badOption(let service, _, _, _),
            .unknownName(let service, _, _, _), .optionAlone(let service, _, _), .optionForType(let service, _, _, _),
            .optionsExclude(let service, _, _), .loginFailed(let service, _),
            .lookUpNotOffered(let service, _), .requestNotOffered(let service), .badRequest(let service, _),
            .badReference(let service, _, _, _), .badAddress(let service, _), .noKey(let service, _),
            .keyRefused(let service, _, _), .keyMalformed(let service), .credentials(let service, _),
            .quotaSpent(let service, _, _, _), .quotaShort(let service, _, _, _, _),
            .tooFast(let service, _, _), .unavailable(let service, _, _), .refused(let service, _, _, _, _),
            .notThere(let service, _, _, _), .badAnswer(let service, _, _), .unreachable(let service, _),
            .offline(let service):
            service
        case .told(let error, _): error.service
        }
    }

    /// The HTTP status behind it; nil when it came from no answer.
    public var status: Int? {
        switch self {
        case .tooFast(_, let status, _), .unavailable(_, let status, _), .refused(_, let status, _, _, _),
            .notThere(_, let status, _, _):
            status
        case .told(let error, let words): error.status ?? words.status
        default: nil
        }
    }

    /// Epoch seconds when it makes sense to ask again, for an error that is new; nil when that is not known.
    public var retryAt: Int64? {
        switch self {
        case .quotaSpent(_, _, _, let resets): resets
        case .tooFast(_, _, let wait), .unavailable(_, _, let wait): wait.map { Clock.now() + $0 }
        case .told(let error, _): error.retryAt
        default: nil
        }
    }
}

/// Why there is no key to send.
public enum KeyLack: Sendable, Equatable {
    /// There is none anywhere.
    case none
    /// There is none of that profile.
    case profile(String)
    /// Stored ones go to the service's own hosts alone, and the address was set to another; the profile that was named,
    /// if one was.
    case elsewhere(host: String, profile: String? = nil)
    /// Another server gave it than the usual one, which is asked now.
    case givenBy(server: String, host: String, profile: String)
    /// The address that was set is none, or neither http nor https.
    case badAddress(String)
}

/// What is wrong with a key.
public enum KeyFault: Sendable, Equatable {
    /// The service does not know it.
    case invalid
    /// The API is not enabled for its project.
    case disabled
    /// It is restricted to other addresses, sites or APIs.
    case restricted
    /// The service saw none.
    case notSeen
    /// It can be none: it has spaces, line ends or other characters that none has, and was not sent.
    case malformed
    /// The service takes nothing with it, though it may know it: an app or a machine may be shut out.
    case refused
    /// It is an app's, and only a person's would do.
    case needsUser
    /// The person did not allow so much.
    case lacksScope
}

/// Why a login came to nothing.
public enum LoginFault: Sendable, Equatable {
    /// The service does not know the app's id and secret.
    case client
    /// There is no app's id and secret to log in with; the variables that give them.
    case noClient(id: String, secret: String)
    /// The service has no such scopes, or the app alone cannot have them.
    case scopes([String], known: [String])
    /// The person said no, or the service did: its words.
    case denied(String)
    /// What came back belongs to another login.
    case state
    /// What came back has no code in it; whether a person pasted it.
    case noCode(pasted: Bool)
    /// The code was used before, or is too old: the service's words.
    case code(String)
    /// No answer to this login came back from the browser in so many seconds; whether other pages did.
    case silence(Int, sawOthers: Bool)
    /// No answer can be waited for at that port.
    case port(Int, reason: String)
    /// The service gave a token of a kind that nobody here can use.
    case tokenType(String)
    /// This machine has no libcrypto to make a challenge with.
    case noCrypto
}

/// What became of a program that a service is asked by.
public enum ProgramFailure: Sendable, Equatable {
    case cannotStart(String)
    /// It took too long or wrote too much.
    case killed(String)
    /// It does not know what it is asked with; its words.
    case tooOld(String)
    /// Its words, and how it left.
    case said(String, status: Int)
}

/// Where a key was taken from.
public enum KeyOrigin: Sendable, Equatable {
    case variable(String)
    case profile(String)
}
