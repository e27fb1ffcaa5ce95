// A stand-in for the Vimeo API on a port of this machine: both grants, scopes, pages, 304, limits, and the service's own
// ways to refuse. It has a few hundred videos, two people, lists, and a consent page that says yes or no at once. A test
// may put any answer in a reply's place.

import Basics
import CCrypto
import Threads

public final class VimeoStandIn: Sendable {
    public static let clientID = "app-identifier-1"
    public static let clientSecret = "app-secret-that-must-not-be-seen"
    /// Made by hand; it is a person's, and sees private things.
    public static let ownToken = "own-token-that-must-not-be-seen"

    public typealias Answer = StandInAnswer

    /// A request that came.
    public struct Call: Sendable {
        public let method: String
        public let path: String
        public let query: [String: String]
        public let form: [String: String]
        public let token: String?
        public let condition: String?
        public let accept: String?
    }

    private struct Token {
        var scopes: [String]
        /// nil for the app's.
        var user: Int?
    }

    private struct Code {
        var redirect: String
        var challenge: String?
        var scopes: [String]
    }

    private struct State {
        var calls: [Call] = []
        var answers: [String: [Answer]] = [:]
        var tokens: [String: Token] = [VimeoStandIn.ownToken: Token(scopes: ["public", "private"], user: 1)]
        var codes: [String: Code] = [:]
        var statuses: [Int] = []
        var count = 0
        /// Calls that are left of a period; nil when nothing is told of it.
        var left: Int?
        var reset = ""
        var denies = false
        var person = 1
    }
    private let state = Monitor(State())
    private let box = Monitor<LoopbackServer?>(nil)

    public init() {
        let server = LoopbackServer { [unowned self] request, reply in handle(request, reply) }
        box.withLock { $0 = server }
    }

    public var port: Int { box.withLock { $0?.port ?? 0 } }
    public var url: String { "http://127.0.0.1:\(port)" }
    public func stop() { box.withLock { $0 }?.stop() }

    public var calls: [Call] { state.withLock { $0.calls } }
    /// The statuses it answered with.
    public var statuses: [Int] { state.withLock { $0.statuses } }
    /// Tokens that it takes, its own among them.
    public var tokens: Set<String> { state.withLock { Set($0.tokens.keys) } }
    public func forget() {
        state.withLock {
            $0.calls = []
            $0.statuses = []
        }
    }

    /// Answers a path so, in this order, before the usual answer comes again.
    public func answer(_ path: String, _ answers: Answer...) {
        state.withLock { $0.answers[path, default: []] += answers }
    }

    /// Ends every token.
    public func revokeAll() { state.withLock { $0.tokens = [:] } }
    /// Says no to whoever asks for consent from now on.
    public func deny() { state.withLock { $0.denies = true } }
    /// Who sits at the browser: 1 or 2.
    public func seat(_ person: Int) { state.withLock { $0.person = person } }
    /// Tells in headers that so many calls are left until then, and refuses those beyond them.
    public func limit(left: Int, reset: String) {
        state.withLock {
            $0.left = left
            $0.reset = reset
        }
    }

    // MARK: Requests

    private static func items(_ text: String) -> [String: String] {
        var items: [String: String] = [:]
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            items[WebAddress.decode(pair[0])] = pair.count == 2 ? WebAddress.decode(pair[1], plusIsSpace: true) : ""
        }
        return items
    }

    private func handle(_ request: LoopbackServer.Request, _ reply: LoopbackServer.Reply) {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let path = WebAddress.decode(parts[0])
        let query = Self.items(parts.count == 2 ? parts[1] : "")
        let login = request.header("Authorization")
        let token = login.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        let call = Call(
            method: request.method, path: path, query: query,
            form: Self.items(String(decoding: request.body, as: UTF8.self)), token: token,
            condition: request.header("If-Modified-Since"), accept: request.header("Accept"))
        let scripted = state.withLock { state -> Answer? in
            state.calls.append(call)
            guard state.answers[path]?.isEmpty == false else { return nil }
            return state.answers[path]?.removeFirst()
        }
        var answer = scripted ?? oauth(call, login) ?? api(call)
        if let limits = state.withLock({ $0.left.map { ($0, $0 < 0 ? 0 : $0) } }), token != nil {
            let reset = state.withLock { $0.reset }
            answer.headers += [
                ("X-RateLimit-Limit", "10"), ("X-RateLimit-Remaining", "\(limits.1)"), ("X-RateLimit-Reset", reset),
            ]
        }
        state.withLock { $0.statuses.append(answer.status) }
        reply.answer(
            answer.status,
            [("Content-Type", "application/vnd.vimeo.\(answer.status == 200 ? "video" : "error")+json")]
                + answer.headers, answer.body)
    }

    /// A refusal as the service writes it.
    public static func error(_ status: Int, _ code: Int, _ text: String, _ developer: String = "", more: String = "")
        -> Answer
    {
        Answer(
            status,
            #"{"error":"\#(text)","link":null,"developer_message":"\#(developer)","error_code":\#(code)\#(more)}"#)
    }

    private static let invalidToken = Answer(
        401, #"{"error":"You must provide a valid authenticated access token."}"#,
        [("WWW-Authenticate", #"Bearer error="invalid_token""#)])

    // MARK: Tokens

    private func oauth(_ call: Call, _ login: String?) -> Answer? {
        let isApp =
            login == "Basic " + Base64.encode(Array("\(Self.clientID):\(Self.clientSecret)".utf8))
        switch (call.method, call.path) {
        case ("GET", "/oauth/authorize"): return consent(call.query)
        case ("POST", "/oauth/authorize/client"):
            guard isApp else { return Self.error(401, 8001, "The app is unknown") }
            guard call.form["grant_type"] == "client_credentials" else {
                return Self.error(400, 2219, "No such grant")
            }
            return made(Token(scopes: (call.form["scope"] ?? "public").split(separator: " ").map(String.init)))
        case ("POST", "/oauth/access_token"):
            guard isApp else { return Self.error(401, 8001, "The app is unknown") }
            let code = state.withLock { $0.codes.removeValue(forKey: call.form["code"] ?? "") }
            guard let code, call.form["redirect_uri"] == code.redirect,
                code.challenge == Self.challenge(call.form["code_verifier"] ?? "")
            else {
                return Answer(400, #"{"error":"invalid_grant","error_description":"The code is not valid"}"#)
            }
            return made(Token(scopes: code.scopes, user: state.withLock { $0.person }))
        case ("GET", "/oauth/verify"):
            guard let token = call.token, let known = state.withLock({ $0.tokens[token] }) else {
                return Self.invalidToken
            }
            return Answer(200, Self.auth(token, known))
        case ("DELETE", "/tokens"):
            let was = state.withLock { $0.tokens.removeValue(forKey: call.token ?? "") }
            return was == nil ? Self.invalidToken : Answer(204, "")
        default: return nil
        }
    }

    /// The page on which a person agrees: this one does so by itself, and sends the browser back.
    private func consent(_ query: [String: String]) -> Answer {
        guard query["client_id"] == Self.clientID, query["response_type"] == "code",
            let redirect = query["redirect_uri"], redirect.hasPrefix("http")
        else { return Self.error(400, 8000, "The app is unknown") }
        let back = "\(redirect)?state=\(Escape.url(query["state"] ?? ""))"
        if state.withLock({ $0.denies }) {
            return Answer(
                302, "",
                [("Location", back + "&error=access_denied&error_description=The%20person%20said%20no")])
        }
        let code = state.withLock { state in
            state.count += 1
            let code = "code-\(state.count)"
            state.codes[code] = Code(
                redirect: redirect, challenge: query["code_challenge"],
                scopes: (query["scope"] ?? "public").split(separator: " ").map(String.init))
            return code
        }
        return Answer(302, "", [("Location", back + "&code=\(code)")])
    }

    /// What RFC 7636 makes of a verifier (`S256`).
    private static func challenge(_ verifier: String) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(verifier.utf8)
        _ = bytes.withUnsafeBytes { ccrypto_sha256($0.baseAddress, $0.count, &digest) }
        return Base64.encode(digest, forAddress: true)
    }

    private func made(_ token: Token) -> Answer {
        let text = state.withLock { state in
            state.count += 1
            let text = "token-\(state.count)-that-must-not-be-seen"
            state.tokens[text] = token
            return text
        }
        return Answer(200, Self.auth(text, token))
    }

    private static func auth(_ text: String, _ token: Token) -> String {
        let user = token.user.map { #","user":\#(person($0))"# } ?? ""
        return
            #"{"access_token":"\#(text)","token_type":"bearer","scope":"\#(token.scopes.joined(separator: " "))","app":{"name":"An app","uri":"/apps/1"}\#(user)}"#
    }

    // MARK: The API

    private func api(_ call: Call) -> Answer {
        guard let text = call.token, let token = state.withLock({ $0.tokens[text] }) else { return Self.invalidToken }
        let isSpent = state.withLock { state -> Bool in
            guard let left = state.left else { return false }
            state.left = left - 1
            return left <= 0
        }
        if isSpent { return Self.error(429, 9000, "Too many", "You have reached the limit") }
        var path = call.path.split(separator: "/").map(String.init)
        if path.first == "me" {
            guard let user = token.user else {
                return Self.error(401, 8003, "The user is unknown", "The app got no user's credentials")
            }
            guard token.scopes.contains("private") else {
                return Self.error(403, 1002, "That is not allowed", "The token lacks the scope private")
            }
            path = ["users", "\(user)"] + path.dropFirst()
        }
        let seesPrivate = token.user == 1 && token.scopes.contains("private")
        switch (path.first, path.count, path.last) {
        case ("videos", 1, _):
            if let uris = call.query["uris"] {
                let rows = uris.split(separator: ",").compactMap { Self.video(uri: String($0), seesPrivate) }
                return list(rows, call)
            }
            guard let words = call.query["query"], !words.isEmpty else {
                return Self.error(
                    400, 2204, "Something is wrong", "A parameter is missing",
                    more:
                        #","invalid_parameters":[{"field":"query","error_code":2001,"error":"Say something.","developer_message":"query is required"}]"#
                )
            }
            return list((0..<Self.count).map { Self.video($0) }, call)
        case ("videos", 2, let name?):
            return Self.video(uri: "/videos/\(name)", seesPrivate).map { Answer(200, $0) } ?? Self.notThere
        case ("users", 1, _): return list([Self.person(1), Self.person(2)], call)
        case ("channels", 1, _): return list([Self.list("/channels/7", "Chosen")], call)
        case ("users", 2, let name?):
            return Self.number(name).map { Answer(200, Self.person($0)) } ?? Self.notThere
        case ("users", 3, "videos"?), ("users", 3, "likes"?), ("users", 3, "watchlater"?):
            guard Self.number(path[1]) == 1 else {
                return Self.number(path[1]) == nil ? Self.notThere : list([], call)
            }
            let hidden = seesPrivate ? [Self.hidden] : []
            return list(hidden + (0..<120).map { Self.video($0) }, call, modified: true)
        case ("users", 4, _) where path[2] == "albums" && path[3] == "5",
            ("users", 4, "77"?), ("albums", 2, "5"?), ("albums", 2, "77"?), ("channels", 2, _), ("groups", 2, _),
            ("categories", 2, _), ("tags", 2, _):
            return Answer(200, Self.list("/" + path.joined(separator: "/"), "A list"))
        case ("users", 5, "videos"?), ("albums", 3, "videos"?), ("channels", 3, "videos"?),
            ("groups", 3, "videos"?), ("categories", 3, "videos"?), ("tags", 3, "videos"?):
            return list((0..<70).map { Self.video($0) }, call)
        default: return Self.notThere
        }
    }

    private static let notThere = error(404, 5000, "The page is not there", "Nothing is at that address")

    private func list(_ rows: [String], _ call: Call, modified: Bool = false) -> Answer {
        let size = call.query["per_page"].flatMap { Int($0) } ?? 25
        let page = call.query["page"].flatMap { Int($0) } ?? 1
        guard size <= 100 else {
            return Self.error(
                400, 2204, "Something is wrong", "Too many a page",
                more:
                    #","invalid_parameters":[{"field":"per_page","error_code":2201,"developer_message":"at most 100"}]"#
            )
        }
        let last = max(1, (rows.count + size - 1) / size)
        guard page <= last else { return Self.error(400, 2286, "Something is strange", "There is no such page") }
        if modified, call.condition == Self.modified { return Answer(304, "", [("Last-Modified", Self.modified)]) }
        func link(_ number: Int?) -> String {
            guard let number else { return "null" }
            var query = call.query
            query["page"] = "\(number)"
            let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Escape.url($0.value))" }
            return #""\#(call.path)?\#(items.joined(separator: "&"))""#
        }
        let shown = rows[min((page - 1) * size, rows.count)..<min(page * size, rows.count)]
        let paging =
            #""paging":{"next":\#(link(page < last ? page + 1 : nil)),"previous":\#(link(page > 1 ? page - 1 : nil)),"first":\#(link(1)),"last":\#(link(last))}"#
        return Answer(
            200,
            #"{"total":\#(rows.count),"page":\#(page),"per_page":\#(size),\#(paging),"data":[\#(shown.joined(separator: ","))]}"#,
            modified ? [("Last-Modified", Self.modified)] : [])
    }

    public static let modified = "Mon, 01 Jan 2024 00:00:00 GMT"

    // MARK: Records

    public static let count = 130
    /// Seen with its hash alone.
    public static let unlisted = "900"
    public static let hash = "abcdef0123"

    /// The video of that place; each third one is of nobody, and of each fourth nobody knows how often it was seen.
    private static func video(_ number: Int, view: String = "anybody", id: String? = nil, hash: String = "") -> String {
        let plays = number % 4 == 3 ? "null" : "\(number * 10)"
        let user = number % 3 == 2 ? "null" : person(1)
        let id = id ?? "\(1000 + number)"
        let suffix = hash.isEmpty ? "" : "/\(hash)"
        return
            #"{"uri":"/videos/\#(id)\#(hash.isEmpty ? "" : ":" + hash)","name":"V & \#(number)","description":null,"type":"video","link":"https://vimeo.com/\#(id)\#(suffix)","duration":\#(number * 60),"created_time":"2024-01-01T00:00:00+00:00","privacy":{"view":"\#(view)","embed":"public"},"stats":{"plays":\#(plays)},"pictures":{"sizes":[{"width":295,"height":166,"link":"https://i.vimeocdn.com/video/\#(id)_295x166"}]},"tags":[],"user":\#(user)}"#
    }

    private static let hidden = video(1, view: "nobody", id: "800")

    private static func video(uri: String, _ seesPrivate: Bool) -> String? {
        let name = String(uri.dropFirst("/videos/".count))
        if name == "\(unlisted):\(hash)" { return video(5, view: "unlisted", id: unlisted, hash: hash) }
        if name == "800" { return seesPrivate ? hidden : nil }
        return Int(name).flatMap { (1000..<1000 + count).contains($0) ? video($0 - 1000) : nil }
    }

    private static func number(_ name: String) -> Int? {
        ["1", "ann", "blackmagicd"].contains(name) ? 1 : name == "2" ? 2 : nil
    }

    private static func person(_ number: Int) -> String {
        #"{"uri":"/users/\#(number)","name":"\#(number == 1 ? "Ann" : "Bob")","link":"https://vimeo.com/\#(number == 1 ? "ann" : "user2")","bio":"Films.","created_time":"2010-01-01T00:00:00+00:00","metadata":{"connections":{"followers":{"total":12},"videos":{"total":120}}}}"#
    }

    /// Categories and tags bear no mark of who may see them; number 77 is its owner's alone, `closed` its members'.
    private static func list(_ uri: String, _ name: String) -> String {
        let view = uri.hasSuffix("/77") ? "nobody" : uri.hasSuffix("/closed") ? "members" : "anybody"
        let isOpen = uri.hasPrefix("/categories") || uri.hasPrefix("/tags")
        let privacy = isOpen ? "" : #","privacy":{"view":"\#(view)"}"#
        return
            #"{"uri":"\#(uri)","name":"\#(name)","link":"https://vimeo.com\#(uri)","created_time":"2011-01-01T00:00:00+00:00"\#(privacy),"user":\#(person(1)),"metadata":{"connections":{"videos":{"total":70}}}}"#
    }
}
