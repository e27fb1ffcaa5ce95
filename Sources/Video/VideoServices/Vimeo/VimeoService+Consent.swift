// How tokens are got from Vimeo (https://developer.vimeo.com/api/authentication): for an app alone, or for a person who
// agrees in a browser. What is easily got wrong: a code is believed only with the state of this very login, and what
// traded it proves that it asked (PKCE), whether the service looks at that or not.

import Basics
import JSON
import WebClient

extension VimeoService: ConsentService {
    public static let clientVariable = "YTHOST_VIMEO_CLIENT_ID"
    public static let secretVariable = "YTHOST_VIMEO_CLIENT_SECRET"
    /// Where a browser is sent back to unless another port is chosen; an app lists its addresses beforehand.
    public static let usualPort = 8765

    public var scopes: [String] {
        [
            "public", "private", "purchased", "purchase", "create", "edit", "delete", "interact", "upload", "stats",
            "promo_codes", "email", "video_files",
        ]
    }

    public func client() throws(ServiceError) -> AppClient {
        if let id = variable(Self.clientVariable), let secret = variable(Self.secretVariable) {
            return AppClient(id: id, secret: Secret(secret))
        }
        do throws(CredentialError) {
            if let store = network.credentials {
                for profile in [try store.chosen(name), Self.appProfile] {
                    if let values = try store.read(name, profile: profile), let id = values["client_id"],
                        let secret = values["client_secret"]
                    {
                        return AppClient(id: id.reveal(), secret: secret)
                    }
                }
            }
        } catch { throw .credentials(service: name, error) }
        throw .loginFailed(service: name, .noClient(id: Self.clientVariable, secret: Self.secretVariable))
    }

    public func logIn(app: AppClient, profile: String?) throws(ServiceError) -> String {
        try prepare()
        let found = try token(
            from: "client", [("grant_type", "client_credentials"), ("scope", "public")], app: app, below: "authorize")
        return try keep(found, .client, app, profile)
    }

    public func consent(app: AppClient, scopes: [String], redirect: String) throws(ServiceError) -> Consent {
        let unknown = scopes.filter { !self.scopes.contains($0) }
        guard unknown.isEmpty else {
            throw .loginFailed(service: name, .scopes(unknown, known: self.scopes))
        }
        if network.settings.isOffline { throw .offline(service: name) }
        try prepare()
        guard let challenge = CodeChallenge() else { throw .loginFailed(service: name, .noCrypto) }
        let state = CodeChallenge.random()
        var (address, _) = try site.address()
        address.path += "/oauth/authorize"
        address.query = Self.form([
            ("response_type", "code"), ("client_id", app.id), ("redirect_uri", redirect),
            ("scope", scopes.joined(separator: " ")), ("state", state), ("code_challenge", challenge.challenge),
            ("code_challenge_method", "S256"),
        ])
        return Consent(
            address: address.description, app: app, redirect: redirect, state: Secret(state), challenge: challenge)
    }

    public func logIn(
        _ consent: Consent, answer: [(name: String, value: String)], isPasted: Bool, profile: String?
    ) throws(ServiceError) -> String {
        func value(_ name: String) -> String? { answer.first { $0.name == name }?.value }
        guard consent.isAnswered(by: answer) else {
            throw .loginFailed(
                service: name,
                value("state") == nil && value("code") == nil && value("error") == nil
                    ? .noCode(pasted: isPasted) : .state)
        }
        if let error = value("error") {
            throw .loginFailed(service: name, .denied(Text.clean(value("error_description") ?? error)))
        }
        guard let code = value("code"), !code.isEmpty else {
            throw .loginFailed(service: name, .noCode(pasted: isPasted))
        }
        let found = try token(
            from: "access_token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", consent.redirect),
                ("code_verifier", consent.challenge.verifier.reveal()),
            ], app: consent.app, below: nil)
        return try keep(found, .code, consent.app, profile)
    }

    private static func form(_ items: [(String, String)]) -> String {
        items.map { "\($0.0)=\(Escape.url($0.1))" }.joined(separator: "&")
    }

    /// Asks for a token as the app.
    private func token(
        from step: String, _ items: [(String, String)], app: AppClient, below: String?
    ) throws(ServiceError) -> VimeoToken {
        if network.settings.isOffline { throw .offline(service: name) }
        var call = ServiceSite.Call(["oauth", below, step].compactMap(\.self))
        call.headers = [
            WebHeader("Accept", "application/vnd.vimeo.*+json;version=3.4"),
            WebHeader("Content-Type", "application/x-www-form-urlencoded"),
        ]
        let login = Base64.encode(Array("\(app.id):\(app.secret.reveal())".utf8))
        let redact: (String) -> String = { Secret(login).redacted(app.secret.redacted($0)) }
        call.secretHeaders = [SecretField("Authorization", Secret("Basic " + login))]
        var request = try site.request(call)
        request.method = .post
        request.body = Array(Self.form(items).utf8)
        request.cache = nil
        request.redirects = 0
        request.retry = .never
        let response: WebResponse
        do throws(WebError) { response = try network.session.send(request) } catch { throw site.failure(error) }
        if let error = failure(response, redact) { throw error }
        let found = VimeoToken(try VimeoAnswer.document(response.body))
        guard !found.token.isEmpty else { throw .badAnswer(service: name, reason: "it has no token") }
        guard Self.isToken(found.token.reveal()) else {
            network.settings.warn(.tokenLeft(service: name, .new, .unsendable))
            throw .badAnswer(service: name, reason: "its token has characters that cannot be sent")
        }
        guard found.type.map({ $0.lowercased() == "bearer" }) ?? true else {
            end(found.token, .new, isOurs: false)
            throw .loginFailed(service: name, .tokenType(Text.clean(found.type ?? "")))
        }
        return found
    }

    private func failure(_ response: WebResponse, _ redact: (String) -> String) -> ServiceError? {
        if response.status == 200 { return nil }
        let words = VimeoAnswer.words(response, redact: redact)
        let message = words.sentences ?? "it does not say why"
        let word = (try? VimeoAnswer.document(response.body))?.value(at: "error").text ?? ""
        let isClient =
            response.status == 401 && [nil, "2203", "2300", "8000", "8001", "8002"].contains(words.code)
            || response.status == 400 && ["invalid_client", "unauthorized_client"].contains(word)
        let meaning: ServiceError =
            switch response.status {
            case _ where isClient: .loginFailed(service: name, .client)
            case 400 where word == "invalid_scope": .loginFailed(service: name, .scopes([], known: scopes))
            case 400: .loginFailed(service: name, .code(message))
            case 429, 500...: site.failure(response)?.plain ?? .unavailable(service: name, status: response.status)
            default:
                .refused(
                    service: name, status: response.status, reason: words.code, parameter: words.fields,
                    message: message)
            }
        if case .loginFailed(_, .code) = meaning { return meaning }
        return meaning.told(words)
    }
}
