// Services that are asked with a key, or a token, of the user's own: what a login, a logout and a look at the quota need.

import WebClient

/// A service that is asked with a key, or another credential, of the user's own.
public protocol AccountService: VideoService {
    var network: Network { get }
    /// Whether a key is known, or there should be one: such a service is searched when nothing is chosen.
    var isConfigured: Bool { get }
    /// The environment variable that gives a key, which counts before those that are kept.
    var secretVariable: String { get }
    /// How to come by a key, for a person to read.
    var guide: String { get }
    /// Tries a key, unless nothing may be sent, and keeps it for a profile, which is the chosen one from then on.
    ///
    /// - Parameter profile: nil for the one that the key belongs to by itself.
    /// - Returns: the file that keeps it.
    /// - Throws: why it is no key or cannot be kept; nothing is kept then.
    func keep(_ key: String, profile: String?) throws(ServiceError) -> String
    /// Deletes the key of a profile, nil for the chosen one; whether there was one.
    func forget(profile: String?) throws(ServiceError) -> Bool
    /// Asks whether the key that is used is still one, and whose it is.
    func verify() throws(ServiceError) -> Account
    /// What was spent with the key that is used, and what is left, by the names of buckets.
    ///
    /// - Parameter time: epoch seconds of the day that is asked about; nil for today.
    func quotas(at time: Int64?) throws(ServiceError) -> [(bucket: String, status: QuotaStatus)]
}

/// What is known of one key. No case or member is a secret.
public struct Account: Sendable, Equatable {
    /// The profile that keeps it; nil for one from a variable.
    public var profile: String?
    /// Whether it is the one that is used when none is named.
    public var isChosen = false
    /// Whose it is, in the service's words; nil when that is nobody's, or not known.
    public var person: String?
    /// What it may be used for; nil when the service has no such thing, or did not say.
    public var scopes: [String]?
    /// How it was come by, or `damaged` where its file says nothing that makes sense.
    public var origin: String

    public static let damaged = "damaged"
}

extension AccountService {
    /// The keys that are kept, by the names of their profiles.
    public func accounts() throws(ServiceError) -> [Account] {
        guard let store = network.credentials else { return [] }
        do throws(CredentialError) {
            let chosen = try store.chosen(name)
            var accounts: [Account] = []
            for profile in try store.profiles(name) {
                let values: Credentials?
                do throws(CredentialError) { values = try store.read(name, profile: profile) } catch {
                    guard case .malformed = error else { throw error }
                    values = nil
                }
                guard let values, (values["token"] ?? values["key"])?.isEmpty == false else {
                    accounts.append(
                        Account(profile: profile, isChosen: profile == chosen, origin: Account.damaged))
                    continue
                }
                accounts.append(
                    Account(
                        profile: profile, isChosen: profile == chosen, person: values["person"]?.reveal(),
                        scopes: values["scope"].map { $0.reveal().split(separator: " ").map(String.init) },
                        origin: values["grant"]?.reveal() ?? "own"))
            }
            return accounts
        } catch { throw .credentials(service: name, error) }
    }

    /// Whether the environment gives a key, so that none that is kept is used unless it is named.
    public var isOverridden: Bool {
        network.settings.variable(secretVariable)?.contains { !$0.isWhitespace } ?? false
    }

    /// Makes a profile the one that is used when none is named.
    public func choose(profile: String) throws(ServiceError) {
        guard let store = network.credentials else { throw .noKey(service: name, .profile(profile)) }
        do throws(CredentialError) {
            try store.changing(name) { () throws(CredentialError) in
                guard try store.profiles(name).contains(profile) else { throw CredentialError.badName("") }
                try store.choose(name, profile: profile)
            }
        } catch {
            if case .badName("") = error { throw .noKey(service: name, .profile(profile)) }
            throw .credentials(service: name, error)
        }
    }
}

/// A service whose tokens are got by asking: for an app alone, or for a person who agrees in a browser (OAuth 2.0,
/// RFC 6749).
public protocol ConsentService: AccountService {
    /// What a token may be used for; the first is what everybody may do.
    var scopes: [String] { get }
    /// The app's id and secret, from variables, else from an account that is kept.
    func client() throws(ServiceError) -> AppClient
    /// Gets a token that is nobody's (4.4), and keeps it.
    func logIn(app: AppClient, profile: String?) throws(ServiceError) -> String
    /// What a person is asked (4.1).
    ///
    /// - Parameter redirect: the address that the browser is sent back to.
    func consent(app: AppClient, scopes: [String], redirect: String) throws(ServiceError) -> Consent
    /// Trades what came back for a token, and keeps it.
    ///
    /// - Parameters:
    ///   - answer: the query that the browser came back with.
    ///   - isPasted: whether a person copied it.
    func logIn(
        _ consent: Consent, answer: [(name: String, value: String)], isPasted: Bool, profile: String?
    ) throws(ServiceError) -> String
}

/// An app as a service knows it.
public struct AppClient: Sendable {
    public var id: String
    public var secret: Secret

    public init(id: String, secret: Secret) {
        self.id = id
        self.secret = secret
    }
}

/// A question to a person, and what it takes to believe the answer.
public struct Consent: Sendable {
    /// To be opened in a browser.
    public let address: String
    let app: AppClient
    let redirect: String
    let state: Secret
    let challenge: CodeChallenge

    /// Whether a query that a browser came with belongs to this login, whatever it says.
    public func isAnswered(by query: [(name: String, value: String)]) -> Bool {
        query.first { $0.name == "state" }?.value == state.reveal()
    }
}
