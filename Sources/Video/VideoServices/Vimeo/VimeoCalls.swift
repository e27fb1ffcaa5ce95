// How Vimeo is asked: with whose token, at which address, counted and kept for whom. What is easily got wrong: a stored
// token goes to the server that gave it alone, and what an account may see is kept apart from what others may.

import Basics
import WebClient

/// A token, and where it may be sent.
struct VimeoAccess {
    var token: Secret
    var origin: KeyOrigin
    var base: WebAddress
    var isSet: Bool
    /// Whose answers are kept together: those of a user's token, of the app that has no user, or of a token of which no
    /// more is known.
    var account: String
    /// Whether the token is known to be nobody's, so that it sees what everybody may.
    var isAnonymous = false
}

extension VimeoService {
    static let tokenVariable = "YTHOST_VIMEO_TOKEN"
    static let addressVariable = "YTHOST_VIMEO_URL"
    private static let version = WebHeader("Accept", "application/vnd.vimeo.*+json;version=3.4")

    /// Whether a token is known, or there should be one: there was a login, or an address is set.
    public var isConfigured: Bool {
        hasVariable(Self.tokenVariable) || hasVariable(Self.addressVariable) || network.hadLogin(Self.name)
    }

    private func hasVariable(_ name: String) -> Bool { network.settings.hasVariable?(name) ?? (variable(name) != nil) }

    func variable(_ name: String) -> String? {
        guard let text = network.settings.variable(name) else { return nil }
        let trimmed = Text.trimmed(text)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Where and how it is asked, before anything is known of a token.
    var site: ServiceSite {
        var site = ServiceSite(
            service: name, variable: Self.addressVariable, usual: WebAddress(scheme: "https", host: "api.vimeo.com"),
            network: network)
        site.judge = VimeoAnswer.verdict
        return site
    }

    // MARK: Tokens

    /// The token to send. A profile that was named counts before the variable.
    func access() throws(ServiceError) -> VimeoAccess {
        let (base, isSet) = try site.address()
        if network.settings.profile == nil, let text = variable(Self.tokenVariable) {
            let token = Secret(text)
            guard Self.isToken(text) else {
                throw .keyRefused(service: name, .malformed, from: .variable(Self.tokenVariable))
            }
            return VimeoAccess(
                token: token, origin: .variable(Self.tokenVariable), base: base, isSet: isSet,
                account: QuotaLedger.fingerprint(token))
        }
        guard let store = network.credentials else { throw .noKey(service: name, .none) }
        let profile: String
        let values: Credentials?
        do throws(CredentialError) {
            profile = if let named = network.settings.profile { named } else { try store.chosen(name) }
            values = try store.read(name, profile: profile)
        } catch { throw .credentials(service: name, error) }
        guard let values else {
            if isSet, !network.hadLogin(name) {
                throw .noKey(service: name, .elsewhere(host: base.host ?? "", profile: network.settings.profile))
            }
            throw .noKey(service: name, network.settings.profile.map { .profile($0) } ?? .none)
        }
        guard let token = values["token"], !token.isEmpty else {
            throw .credentials(service: name, .malformed(path: store.path(of: name, profile: profile)))
        }
        try checkServer(values, of: profile, base, isSet, named: network.settings.profile)
        guard Self.isToken(token.reveal()) else {
            throw .keyRefused(service: name, .malformed, from: .profile(profile))
        }
        var access = VimeoAccess(
            token: token, origin: .profile(profile), base: base, isSet: isSet,
            account: Self.account(values, token))
        access.isAnonymous = values["grant"]?.reveal() == VimeoGrant.client.rawValue
        return access
    }

    /// Whose answers those of a profile are kept with. Two tokens of one person may be for different scopes, so that what
    /// one is told is not for the other.
    static func account(_ values: Credentials, _ token: Secret) -> String {
        let print = QuotaLedger.fingerprint(token)
        guard let account = values["account"]?.reveal(), account != print else { return print }
        return values["grant"]?.reveal() == VimeoGrant.client.rawValue ? account : "\(account)/\(print)"
    }

    /// Whether a text can be a token, as far as its bytes tell: it goes into a header.
    static func isToken(_ text: String) -> Bool {
        (8...2000).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'\\<>".utf8.contains($0) }
    }

    /// Refuses to send what is kept to another server than the one that gave it.
    ///
    /// - Parameter named: the profile that the user named, if one was.
    func checkServer(
        _ values: Credentials, of profile: String, _ base: WebAddress, _ isSet: Bool, named: String?
    ) throws(ServiceError) {
        let server = values["server"]?.reveal() ?? site.usual.description
        if server == base.description { return }
        throw .noKey(
            service: name,
            isSet
                ? .elsewhere(host: base.host ?? "", profile: named)
                : .givenBy(server: server, host: base.host ?? "", profile: profile))
    }

    func bucket(_ access: VimeoAccess) -> QuotaBucket {
        QuotaBucket(
            service: name, name: Self.bucket, account: QuotaLedger.fingerprint(access.token), limit: nil,
            period: .headers)
    }

    // MARK: Sending

    func site(_ access: VimeoAccess) -> ServiceSite {
        var site = site
        let (origin, token) = (access.origin, access.token)
        site.meaning = { VimeoAnswer.error($0, from: origin, redact: token.redacted) }
        return site
    }

    func authorized(_ call: ServiceSite.Call, _ access: VimeoAccess) -> ServiceSite.Call {
        var call = call
        call.headers = [Self.version]
        call.secretHeaders = [SecretField("Authorization", Secret("Bearer " + access.token.reveal()))]
        call.account = access.account
        call.charge = WebCharge(bucket(access))
        return call
    }

    func send(_ call: ServiceSite.Call, _ access: VimeoAccess) throws(ServiceError) -> ServiceSite.Answer {
        try site(access).send(authorized(call, access))
    }

    func kept(_ call: ServiceSite.Call, _ access: VimeoAccess) -> WebResponse? {
        site(access).kept(authorized(call, access))
    }
}
