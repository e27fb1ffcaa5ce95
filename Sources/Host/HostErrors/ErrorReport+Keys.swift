// Error texts about keys, tokens and logins. Each service has its own term for them, and its own pages to create and
// manage them.

import VideoServices

/// A service's term for its keys, and where to find them.
struct KeyWords {
    let noun: String
    let variable: String
    let address: String
    /// The location of a stored key.
    let home: String
    /// How to get a key.
    let login: String
    /// The page where the key is managed.
    let console: String

    static func of(_ service: String) -> KeyWords {
        service == VimeoService.name
            ? KeyWords(
                noun: "token", variable: "YTHOST_VIMEO_TOKEN", address: "YTHOST_VIMEO_URL",
                home: "the server that gave it",
                login: "`ythost login vimeo --help` tells how to get one; or set YTHOST_VIMEO_TOKEN",
                console: "https://developer.vimeo.com/apps")
            : KeyWords(
                noun: "key", variable: "YTHOST_YOUTUBE_KEY", address: "YTHOST_YOUTUBE_URL", home: "Google's own hosts",
                login: "`ythost login youtube` tells how to make one and keeps it; or set YTHOST_YOUTUBE_KEY",
                console: "https://console.cloud.google.com/apis/credentials")
    }
}

extension ErrorReport {
    init(service: String, _ lack: KeyLack) {
        let words = KeyWords.of(service)
        switch lack {
        case .none:
            self.init(
                code: .configuration, kind: "key", message: "\(service) needs a \(words.noun), and there is none",
                hint: words.login + "; --source sample needs none")
        case .profile(let profile):
            self.init(
                code: .configuration, kind: "key",
                message: "there is no \(words.noun) of the profile '\(profile)' for \(service)",
                hint:
                    "ythost login \(service) --profile \(profile); `ythost login \(service) --list` shows what there is"
            )
        case .elsewhere(let host, let profile?):
            self.init(
                code: .configuration, kind: "key",
                message:
                    "the \(words.noun) of the profile '\(profile)' is not sent to \(host), which \(words.address) names: a stored \(words.noun) goes to \(words.home) alone",
                hint:
                    "leave --profile out, so that \(words.variable) is used; or \(Self.addressHint(service, words))")
        case .elsewhere(let host, nil):
            self.init(
                code: .configuration, kind: "key",
                message: "no \(words.noun) is given for \(host): a stored \(words.noun) is only sent to \(words.home)",
                hint: "set \(words.variable) beside \(words.address)")
        case .givenBy(let server, let host, let profile):
            self.init(
                code: .configuration, kind: "key",
                message:
                    "the \(words.noun) of the profile '\(profile)' was given by \(server), and is not sent to \(host)",
                hint:
                    "set \(words.address) as it was at the login, or choose another with --profile; `ythost login \(service) --list` shows what there is"
            )
        case .badAddress:
            // Not shown: users put keys and passwords there.
            self.init(
                code: .configuration, kind: "address",
                message: "\(words.address) is no http or https address without a user, a password and a query",
                hint: "it goes up to and including /youtube/v3")
        }
    }

    private static func addressHint(_ service: String, _ words: KeyWords) -> String {
        service == VimeoService.name
            ? "set \(words.address) as it was at the login" : "unset \(words.address)"
    }

    /// A hint for requests that a service rejects.
    static func consoleHint(_ service: String) -> String {
        [YouTubeService.name, VimeoService.name].contains(service)
            ? "the app, the account or this machine's address may be shut out: \(KeyWords.of(service).console)"
            : "whoever asks, or from where, may be shut out there"
    }

    init(malformedKeyOf service: String) {
        let words = KeyWords.of(service)
        let form = service == YouTubeService.name ? ": Google's begin with AIza and have 39 characters" : ""
        self.init(
            code: .configuration, kind: "key", message: "that is no \(words.noun)\(form)",
            hint: "copy it from \(words.console); nothing was kept or sent")
    }

    init(service: String, _ fault: KeyFault, _ origin: KeyOrigin) {
        let words = KeyWords.of(service)
        let key =
            switch origin {
            case .variable(let name): "the \(words.noun) in \(name)"
            case .profile(let name): "the \(words.noun) of the profile '\(name)'"
            }
        switch fault {
        case .invalid:
            self.init(
                code: .configuration, kind: "key", message: "\(service) does not know \(key)",
                hint: service == VimeoService.name
                    ? "it was revoked, or is none: `ythost login vimeo` gets another"
                    : "compare it with \(words.console), then `ythost login youtube`")
        case .malformed:
            self.init(
                code: .configuration, kind: "key",
                message: "\(key) can be none: it has characters that no \(words.noun) has, and was not sent",
                hint: "copy it again from \(words.console), without quotes, spaces and line ends")
        case .refused:
            self.init(
                code: .configuration, kind: "key-refused", message: "\(service) takes nothing with \(key)",
                hint: Self.consoleHint(service) + "; the \(words.noun) itself may be right")
        case .disabled:
            self.init(
                code: .configuration, kind: "key-disabled",
                message: "the YouTube Data API is not enabled for the project of \(key)",
                hint:
                    "enable it at https://console.cloud.google.com/apis/library/youtube.googleapis.com and wait a few minutes"
            )
        case .restricted:
            self.init(
                code: .configuration, kind: "key-restricted",
                message: "\(key) is restricted to other addresses, sites or APIs",
                hint:
                    "edit its restrictions at https://console.cloud.google.com/apis/credentials: this machine's address, and the YouTube Data API"
            )
        case .notSeen:
            self.init(
                code: .configuration, kind: "key-missing", message: "\(service) saw no \(words.noun) with the request",
                hint: "something on the way took \(key) out: look at \(words.address) and at the proxy")
        case .needsUser:
            self.init(
                code: .configuration, kind: "key-needs-user",
                message: "\(service) wants a person's account for that, and \(key) is an app's alone",
                hint: "ythost login \(service) --user, then --profile chooses between accounts")
        case .lacksScope:
            self.init(
                code: .configuration, kind: "key-scope", message: "\(key) may not be used for that",
                hint: "ythost login \(service) --user --scope 'public private' asks for more")
        }
    }

    init(service: String, _ fault: LoginFault) {
        func failed(_ message: String, _ hint: String?, _ code: Code = .configuration) -> ErrorReport {
            ErrorReport(code: code, kind: "login", message: message, hint: hint)
        }
        let words = KeyWords.of(service)
        switch fault {
        case .client:
            self = failed(
                "\(service) does not know an app of that identifier and secret", "compare both with \(words.console)")
        case .noClient(let id, let secret):
            self = failed(
                "there is no app to log in with",
                "give its identifier and secret in \(id) and \(secret), or a line each")
        case .scopes(let unknown, let known):
            let names = unknown.isEmpty ? "" : " " + unknown.map { "'\($0)'" }.joined(separator: ", ")
            self = failed("\(service) has no such scope\(names)", "there are: " + known.joined(separator: ", "), .usage)
        case .denied(let words):
            self = failed("nobody agreed at \(service): \(words)", "try again, and agree in the browser")
        case .state:
            self = failed(
                "what came back from the browser is not the answer to this login: its state is another",
                "close older pages of a login and try again; somebody else may have sent it")
        case .noCode(let isPasted):
            self = failed(
                "there is no code in what came back",
                isPasted
                    ? "paste the whole address that the browser shows, from http to its end"
                    : "try again; --paste shows the address that \(service) sends the browser to",
                isPasted ? .usage : .configuration)
        case .code(let words):
            self = failed(
                "\(service) does not take the code: \(words)",
                "a code can be used once, for a few minutes, with the callback address that the app lists: try again")
        case .silence(let seconds, let sawOthers):
            self = failed(
                "nobody came back from the browser in \(seconds) seconds"
                    + (sawOthers ? ", but for a page that is no answer to this login: its state is another" : ""),
                (sawOthers ? "close older pages of a login; somebody else may have sent it; " : "")
                    + "try again, with --wait SECONDS for more time; --paste is for machines without a browser")
        case .port(let port, let reason):
            self = failed(
                "nothing can be waited for at port \(port): \(reason)",
                "--port N chooses another, whose address the app must list, too; --paste needs none")
        case .tokenType(let type):
            self = failed(
                "\(service) gave a token of the kind '\(type)', which cannot be used",
                "only bearer tokens can: see what \(words.address) names, if it is set; or make one at \(words.console), for `ythost login \(service) --token`",
                .network)
        case .noCrypto:
            self = failed("a login in a browser needs libcrypto.so.3", "install it: apt-get install libssl3")
        }
    }
}
