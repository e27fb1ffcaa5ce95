// Logs in to a service by requesting a token: for the app alone, or with a user's consent in a browser on this machine
// or another. The port must be listening before the browser opens, or the redirect is lost.

import Basics
import HostErrors
import VideoServices
import WebClient

/// Requests tokens from a service.
public struct AccountLogin {
    private let service: any ConsentService

    init(_ service: any ConsentService) { self.service = service }

    public static let usualPort = VimeoService.usualPort
    /// The default time for the user to consent, in seconds.
    public static let usualWait = 300
    private static let path = "/vimeo"

    /// Whether an app is configured, by variables or by a stored account.
    ///
    /// - Throws: `.service` when the stored accounts cannot be read.
    public func knowsApp() throws(HostError) -> Bool {
        do throws(ServiceError) { _ = try service.client() } catch {
            if case .loginFailed(_, .noClient) = error { return false }
            throw .service(error)
        }
        return true
    }

    /// The given app id and secret; the configured ones when neither is given.
    private func app(_ id: String?, _ secret: String?) throws(ServiceError) -> AppClient {
        func trimmed(_ text: String?) -> String {
            let words = (text ?? "").split(whereSeparator: \.isWhitespace)
            return words.joined()
        }
        guard id != nil || secret != nil else { return try service.client() }
        guard !trimmed(id).isEmpty, !trimmed(secret).isEmpty else {
            throw .loginFailed(
                service: service.name,
                .noClient(id: VimeoService.clientVariable, secret: VimeoService.secretVariable))
        }
        return AppClient(id: trimmed(id), secret: Secret(trimmed(secret)))
    }

    /// Requests a token for public data.
    ///
    /// - Returns: the path of the file that stores it.
    public func asApp(id: String?, secret: String?, profile: String?) throws(HostError) -> String {
        do throws(ServiceError) { return try service.logIn(app: try app(id, secret), profile: profile) } catch {
            throw .service(error)
        }
    }

    /// The parameters of a consent request.
    public struct Question {
        public var id: String?
        public var secret: String?
        public var scopes: [String]
        public var profile: String?

        public init(id: String?, secret: String?, scopes: [String], profile: String?) {
            (self.id, self.secret, self.scopes, self.profile) = (id, secret, scopes, profile)
        }
    }

    /// Asks for consent in a browser on this machine and waits for the redirect.
    ///
    /// - Parameters:
    ///   - port: the local port for the redirect.
    ///   - seconds: the timeout.
    ///   - show: called with the address to open.
    /// - Returns: the path of the file that stores the token.
    public func inBrowser(
        _ question: Question, port: Int, seconds: Int, show: (String) -> Void
    ) throws(HostError) -> String {
        do throws(ServiceError) {
            let app = try app(question.id, question.secret)
            let listener: RedirectListener
            do throws(RedirectListener.Failure) { listener = try RedirectListener(port: port) } catch {
                throw .loginFailed(service: service.name, .port(error.port, reason: error.reason))
            }
            let consent = try service.consent(
                app: app, scopes: question.scopes, redirect: "http://127.0.0.1:\(listener.port)\(Self.path)")
            show(consent.address)
            // Any page can send a browser here, so only a redirect with this login's state is accepted.
            let visit = listener.visit(at: Self.path, within: Double(seconds)) { query in
                consent.isAnswered(by: Self.items(query))
            }
            guard let visit else {
                throw .loginFailed(service: service.name, .silence(seconds, sawOthers: listener.sawOthers))
            }
            do throws(ServiceError) {
                let place = try service.logIn(
                    consent, answer: Self.items(visit.query), isPasted: false, profile: question.profile)
                visit.answer(isGood: true, "ythost has what it needs. You can close this page.")
                return place
            } catch {
                var words = ErrorReport(error).message
                if words.last == "." { words.removeLast() }
                visit.answer(
                    isGood: false, "The login came to nothing: \(words). ythost says what to do; close this page.")
                throw error
            }
        } catch { throw .service(error) }
    }

    /// Asks for consent in any browser and takes the address that it was redirected to.
    ///
    /// - Parameters:
    ///   - redirect: an address in the app's list; no server is needed there. nil for the default local address.
    ///   - ask: called with the address to open; returns the address that the browser shows at the end.
    /// - Returns: the path of the file that stores the token.
    public func byHand(
        _ question: Question, redirect: String?, ask: (String) -> String?
    ) throws(HostError) -> String {
        do throws(ServiceError) {
            let consent = try service.consent(
                app: try app(question.id, question.secret), scopes: question.scopes,
                redirect: redirect ?? "http://127.0.0.1:\(Self.usualPort)\(Self.path)")
            let text = ask(consent.address) ?? ""
            let address = text.split(whereSeparator: \.isWhitespace).joined()
            let query = WebAddress(address)?.queryItems ?? []
            return try service.logIn(
                consent, answer: Self.items(query), isPasted: true, profile: question.profile)
        } catch { throw .service(error) }
    }

    private static func items(_ query: [WebAddress.QueryItem]) -> [(name: String, value: String)] {
        query.map { ($0.name, $0.value ?? "") }
    }
}
