// Accounts at Vimeo: trying, keeping and forgetting tokens, and what the answers say of the quota. What is easily got
// wrong: a token that a login got is revoked at a logout, but one that the user made by hand is not ours to end.

import Basics
import JSON
import Store
import WebClient

/// How a token was come by; the raw value is kept beside it.
enum VimeoGrant: String {
    /// Made by hand.
    case own
    /// For an app alone.
    case client
    /// For a person who agreed.
    case code
}

extension VimeoService: AccountService {
    /// The profile of a token that is nobody's.
    static let appProfile = "app"

    public var guide: String {
        """
        Vimeo's API wants a token. An app is free and made in a minute at https://developer.vimeo.com/apps/new; its page
        has a client identifier and a client secret.

          ythost login vimeo           what everybody may see: takes the identifier and the secret, a line each
          ythost login vimeo --user    your own things, too: you agree in a browser. The app's page must list the callback
                                       address http://127.0.0.1:\(VimeoService.usualPort)/vimeo
          ythost login vimeo --paste   the same for a machine without a browser
          ythost login vimeo --token   a token that you made on the app's page
        """
    }

    public var secretVariable: String { Self.tokenVariable }

    public func quotas(at time: Int64?) throws(ServiceError) -> [(bucket: String, status: QuotaStatus)] {
        let bucket = bucket(try access())
        do throws(StoreError) { return [(Self.bucket, try network.ledger.read(bucket, at: time))] } catch {
            throw .unreachable(service: name, .notCounted(bucket, error))
        }
    }

    /// Tries a token that was made by hand, unless nothing may be sent, and keeps it.
    public func keep(_ text: String, profile: String?) throws(ServiceError) -> String {
        let text = Text.trimmed(text)
        guard Self.isToken(text) else { throw .keyMalformed(service: name) }
        let token = Secret(text)
        try prepare()
        guard !network.settings.isOffline else {
            return try keep(VimeoToken(token: token), .own, nil, profile ?? CredentialStore.defaultProfile)
        }
        let found = try verified(token, .profile(profile ?? CredentialStore.defaultProfile))
        return try keep(found, .own, nil, profile)
    }

    /// Asks whether the token that is used is one, and whose.
    public func verify() throws(ServiceError) -> Account {
        let access = try access()
        let found = try verified(access.token, access.origin)
        var account = Account(person: found.person, scopes: found.scopes, origin: VimeoGrant.own.rawValue)
        if case .profile(let profile) = access.origin {
            let kept = try accounts().first { $0.profile == profile }
            (account.profile, account.isChosen) = (profile, kept?.isChosen ?? false)
            account.origin = kept?.origin ?? account.origin
        }
        return account
    }

    /// Ends the token of a profile at the service, if a login got it and anything may be sent, and deletes it with the
    /// answers that were kept for it. The app's account, if there is one, is the chosen one from then on.
    public func forget(profile: String?) throws(ServiceError) -> Bool {
        guard let store = network.credentials else { return false }
        let named: String
        let values: Credentials?
        do throws(CredentialError) {
            named = if let profile { profile } else { try store.chosen(name) }
            values = try store.read(name, profile: named)
        } catch { throw .credentials(service: name, error) }
        guard let values else { return false }
        guard let token = values["token"], !token.isEmpty else {
            throw .credentials(service: name, .malformed(path: store.path(of: name, profile: named)))
        }
        if values["grant"]?.reveal() != VimeoGrant.own.rawValue, !network.settings.isOffline {
            let (base, isSet) = try site.address()
            try checkServer(values, of: named, base, isSet, named: named)
            try revoke(token)
        }
        do throws(CredentialError) {
            try store.changing(name) { () throws(CredentialError) in
                try store.delete(name, profile: named)
                if try store.chosen(name) == named {
                    let others = try store.profiles(name)
                    let next = others.first { $0 == Self.appProfile } ?? others.first ?? CredentialStore.defaultProfile
                    try store.choose(name, profile: next)
                }
            }
        } catch { throw .credentials(service: name, error) }
        clear(values)
        return true
    }

    /// Deletes the answers that are kept for a profile: of no use to anybody else, and more perhaps than a new token of the
    /// same person may see.
    private func clear(_ values: Credentials) {
        guard let token = values["token"], !token.isEmpty else { return }
        _ = try? network.cache?.clear(space: "\(name)/\(Self.account(values, token))")
    }

    /// Looks whether a token could be kept, before one is asked for.
    func prepare() throws(ServiceError) {
        let store = try store()
        do throws(CredentialError) { try store.prepare(name) } catch { throw .credentials(service: name, error) }
    }

    private func store() throws(ServiceError) -> CredentialStore {
        guard let store = network.credentials else {
            throw .credentials(
                service: name, .cannotWrite(path: "the token", reason: "there is no home folder to keep it in"))
        }
        return store
    }

    /// Ends a token at the server that is asked now.
    ///
    /// - Parameter isOurs: whether the service would know it as it is sent, so that one that it refuses is none any more.
    func revoke(_ token: Secret, isOurs: Bool = true) throws(ServiceError) {
        let (base, isSet) = try site.address()
        let access = VimeoAccess(
            token: token, origin: .profile(Self.appProfile), base: base, isSet: isSet, account: "")
        let site = site(access)
        var request = try site.request(authorized(ServiceSite.Call("tokens"), access))
        request.method = .delete
        request.cache = nil
        request.charge = nil
        request.retry = .never
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch { throw site.failure(error) }
        // 401: it is none any more, which is all that is wanted.
        if [200, 204].contains(response.status) || isOurs && [401, 404].contains(response.status) { return }
        throw site.failure(response) ?? .unavailable(service: name, status: response.status)
    }

    /// Ends a token that nobody will use, and tells where that cannot be done: whoever has it could go on.
    func end(_ token: Secret, _ which: NetworkWarning.Token, isOurs: Bool = true) {
        do throws(ServiceError) { try revoke(token, isOurs: isOurs) } catch {
            network.settings.warn(.tokenLeft(service: name, which, .failed(error)))
        }
    }

    /// What the service says of a token.
    private func verified(_ token: Secret, _ origin: KeyOrigin) throws(ServiceError) -> VimeoToken {
        if network.settings.isOffline { throw .offline(service: name) }
        let (base, isSet) = try site.address()
        let access = VimeoAccess(token: token, origin: origin, base: base, isSet: isSet, account: "")
        var call = ServiceSite.Call("oauth", "verify")
        call.policy = .networkOnly
        call.stores = false
        let row = try VimeoAnswer.document(try send(call, access).response.body)
        var found = VimeoToken(row)
        if found.type == nil, found.scopes == nil, found.user == nil {
            throw .badAnswer(service: name, reason: "it says nothing of a token")
        }
        // Not as the service sent it back.
        found.token = token
        return found
    }

    /// Writes a token down for a profile, which is the chosen one from then on. The file that keeps it.
    func keep(
        _ found: VimeoToken, _ grant: VimeoGrant, _ app: AppClient?, _ profile: String?
    ) throws(ServiceError) -> String {
        let store = try store()
        let account = found.user.map { "user_\($0)" } ?? Self.appProfile
        let profile = profile ?? account
        var values = Credentials(["token": found.token, "grant": Secret(grant.rawValue)])
        // What is not known to be nobody's is not mixed with what is.
        values["account"] = Secret(
            found.user == nil && grant != .client ? QuotaLedger.fingerprint(found.token) : account)
        values["scope"] = found.scopes.map { Secret($0.joined(separator: " ")) }
        values["person"] = found.person.map { Secret($0) }
        let (base, isSet) = try site.address()
        if isSet { values["server"] = Secret(base.description) }
        if let app {
            values["client_id"] = Secret(app.id)
            values["client_secret"] = app.secret
        }
        // One that is damaged has nothing that could be ended.
        let old = try? store.read(name, profile: profile)
        do throws(CredentialError) { try store.keep(values, name, profile: profile) } catch {
            // Nobody could end it later.
            if grant != .own { end(found.token, .new) }
            throw .credentials(service: name, error)
        }
        clear(values)
        if let old { replaced(old, by: values, profile) }
        return store.path(of: name, profile: profile)
    }

    /// Ends the token whose place another took, if a login got it here; that it cannot be ended is no failure of the login,
    /// but told.
    private func replaced(_ old: Credentials, by new: Credentials, _ profile: String) {
        clear(old)
        guard let token = old["token"], !token.isEmpty, token != new["token"],
            old["grant"]?.reveal() != VimeoGrant.own.rawValue
        else { return }
        let which = NetworkWarning.Token.replaced(profile: profile)
        if old["server"] != new["server"] {
            let server = old["server"]?.reveal() ?? site.usual.description
            network.settings.warn(.tokenLeft(service: name, which, .elsewhere(server: server)))
        } else if network.settings.isOffline {
            network.settings.warn(.tokenLeft(service: name, which, .offline))
        } else {
            end(token, which)
        }
    }
}

/// A token and what was said with it.
struct VimeoToken {
    var token: Secret
    var type: String?
    var scopes: [String]?
    /// The number of the user; nil when it is nobody's.
    var user: String?
    var person: String?

    init(token: Secret) { self.token = token }

    init(_ row: JSONRow) {
        token = Secret(row.value(at: "access_token").text ?? "")
        type = row.value(at: "token_type").text
        scopes = row.value(at: "scope").text.map { $0.split(separator: " ").map(String.init).sorted() }
        user = row.value(at: "user.uri").text.flatMap { uri in
            let id = uri.split(separator: "/").last.map(String.init) ?? ""
            return uri.hasPrefix("/users/") && CredentialStore.isName(id) ? id : nil
        }
        person = row.value(at: "user.name").text.map { Text.clean($0) }
    }
}
