// Error texts for services, the network, keys and cache files.

import Basics
import Store
import Threads
import VideoServices
import WebClient

extension ErrorReport {
    /// A hint for an unreadable reply.
    private static func hint(ofUnreadable service: String) -> String? {
        switch service {
        case "web", "feed": nil
        case YtDlpService.name:
            "it is a program of this machine: `yt-dlp --version` says whether it works, and a newer one may"
        default: "a proxy may have answered in its place; try again later"
        }
    }

    package init(_ error: ServiceError) {
        let service = error.service
        switch error {
        case .optionNotHonoured(_, let option):
            self.init(
                code: .usage, kind: "usage", message: "the source '\(service)' cannot honour --\(option.rawValue)",
                hint: "leave it out, or choose another --source; `ythost sources` shows what each one honours")
        case .valueNotHonoured(_, let option, let value, let possible):
            self.init(
                code: .usage, kind: "usage",
                message: "the source '\(service)' cannot honour --\(option.rawValue) \(value)",
                hint: possible.isEmpty ? nil : "it can do \(possible.joined(separator: ", "))")
        case .emptyQuery:
            self.init(
                code: .usage, kind: "usage", message: "there is nothing to search for in '\(service)'",
                hint: "give at least one word that is not excluded")
        case .badOption(_, let option, let value, let expected):
            self.init(code: .usage, kind: "usage", message: "--\(option.rawValue): '\(value)' is not \(expected)")
        case .unknownName(_, let option, let value, let known):
            self.init(
                code: .usage, kind: "usage",
                message: "--\(option.rawValue): \(service) has no \(option.rawValue) '\(value)'",
                hint: Nearest.advice(for: value, among: known))
        case .optionAlone(_, let option, let other):
            self.init(
                code: .usage, kind: "usage", message: "--\(option.rawValue) needs --\(other.rawValue)",
                hint: other == .location || other == .radius ? "such as --location 52.52,13.40 --radius 10km" : nil)
        case .optionsExclude(_, let option, let other):
            self.init(
                code: .usage, kind: "usage",
                message: "the source '\(service)' cannot honour --\(option.rawValue) together with --\(other.rawValue)",
                hint: "leave one of them out")
        case .optionForType(_, let option, let type, let asked):
            self.init(
                code: .usage, kind: "usage",
                message: "--\(option.rawValue) is only for --type \(type), and --type \(asked) is asked for",
                hint: "leave one of them out")
        case .lookUpNotOffered(_, let kind):
            self.init(
                code: .usage, kind: "usage", message: "the source '\(service)' cannot look up \(kind.words)",
                hint: "another source may")
        case .requestNotOffered:
            self.init(
                code: .usage, kind: "usage", message: "the source '\(service)' has no API of its own to be read",
                hint: "yt.http.get reads any address that a grant names")
        case .badRequest(_, let reason):
            self.init(code: .usage, kind: "usage", message: "\(service) cannot be asked so: \(reason)")
        case .badReference(_, let kind, let text, let reason):
            self.init(
                code: .usage, kind: "reference", message: "'\(text)' cannot be looked up: \(reason)",
                hint: service == YouTubeService.name ? kind.hint : service == VimeoService.name ? kind.vimeoHint : nil)
        case .badAddress(_, let variable):
            // Not shown: users put keys and passwords there.
            self.init(
                code: .configuration, kind: "address",
                message: "\(variable) is no http or https address without a user, a password and a query",
                hint: "correct it, or unset it to ask the usual server")
        case .noKey(_, let lack): self.init(service: service, lack)
        case .keyRefused(_, let fault, let origin): self.init(service: service, fault, origin)
        case .keyMalformed: self.init(malformedKeyOf: service)
        case .loginFailed(_, let fault): self.init(service: service, fault)
        case .credentials(_, let error): self.init(error)
        case .quotaSpent(_, let bucket, let limit, let resets):
            let count = limit.map { " of \($0)" } ?? ""
            let time = resets.map { "; it begins anew at \(Timestamp.format($0, as: .rfc3339))" } ?? ""
            let what = service == VimeoService.name ? "quota" : "daily quota"
            self.init(
                code: .quota, kind: "quota",
                message: "the \(what)\(count) of the bucket '\(bucket)' at \(service) is used up\(time)",
                hint:
                    "`ythost quota` shows all buckets; kept answers cost nothing: --offline, --cache local-then-network"
            )
        case .quotaShort(_, let bucket, let needed, let left, let fits):
            self.init(
                code: .quota, kind: "quota",
                message:
                    "that takes up to \(needed) calls of the bucket '\(bucket)' at \(service), and \(left) are left; nothing was sent",
                hint: "--fetch \(fits) fits; `ythost quota` says when the bucket begins anew")
        case .tooFast(_, _, let wait):
            self.init(
                code: .network, kind: "too-fast", message: "\(service) is asked too often in a short time",
                hint: "try again " + (wait.map(Self.later) ?? "in a minute"))
        case .unavailable(_, let status, let wait):
            self.init(
                code: .network, kind: "service", message: "\(service) is out of order (status \(status))",
                hint: "try again " + (wait.map(Self.later) ?? "later"))
        case .refused(_, let status, let reason, let parameter, let message):
            let place = parameter.map { ", parameter \($0)" } ?? ""
            let facts = reason.map { "\($0), \(status)" } ?? "\(status)"
            let remedy =
                parameter.map { "asked so again it says the same: correct or leave out what \($0) stands for" }
                ?? ([401, 403].contains(status)
                    ? Self.consoleHint(service) : "asked so again it says the same: correct what it names")
            self.init(
                code: reason == "invalidSearchFilter" ? .usage : .network, kind: "refused",
                message: "\(service) refuses the request\(place): \(message) (\(facts))", hint: remedy)
        case .notThere(_, let status, let reason, let message):
            self.init(
                code: .network, kind: "not-there",
                message: "\(service): \(message) (\(reason ?? "status \(status)"))",
                hint: "it may be private, deleted, or never have been")
        case .noProgram(_, let program):
            self.init(
                code: .configuration, kind: "program", message: "there is no \(program) on PATH",
                hint: "install it: pipx install \(program), or apt-get install \(program); or choose another --source")
        case .programFailed(_, let failure):
            let (message, hint): (String, String?) =
                switch failure {
                case .cannotStart(let reason): ("cannot be started: \(reason)", nil)
                case .killed(let reason): ("was stopped: \(reason)", "try again later, or for fewer rows: --fetch 10")
                case .tooOld(let text): ("does not know how it is asked: \(text)", "bring it up to date")
                case .said("", let status): ("left with \(status) and without a word", "bring it up to date")
                case .said(let text, _): ("failed: \(text)", "it breaks when YouTube changes: bring it up to date")
                }
            self.init(code: .network, kind: "program", message: "\(service) \(message)", hint: hint)
        case .badAnswer(_, let method, let reason):
            let call = method.map { " to \($0)" } ?? ""
            self.init(
                code: .network, kind: "answer", message: "the answer of \(service)\(call) cannot be read: \(reason)",
                hint: Self.hint(ofUnreadable: service))
        case .unreachable(_, let error):
            self.init(error, source: service)
            if case .notCounted = error { break }
            message = "\(service) could not be asked: \(message)"
            switch error {
            case .noHost, .noConnection, .timedOut, .badRedirect, .tooManyRedirects, .badAnswer, .refusedTarget:
                if let variable = Self.addressVariable(service) {
                    hint = (hint.map { $0 + "; " } ?? "") + "if \(variable) is set, see what it names"
                }
            default: break
            }
        case .told(let plain, let said):
            self.init(plain)
            words = said
            switch plain {
            // Their messages already contain the service's text.
            case .refused, .notThere: break
            default:
                // YouTube's text only repeats this message, with markup.
                if service != YouTubeService.name, let text = said.text { message += "; it says: \(text)" }
            }
        case .offline:
            self.init(
                code: .network, kind: "offline",
                message: "nothing may be sent, and no answer of \(service) to this is kept",
                hint: "leave --offline, --cache local-only or --dry-run out once")
        }
        source = service
        status = error.status
        retryAt = error.retryAt ?? retryAt
        words = error.words
    }

    /// The variable that overrides the address of a service.
    private static func addressVariable(_ service: String) -> String? {
        [
            YouTubeService.name: "YTHOST_YOUTUBE_URL", VimeoService.name: "YTHOST_VIMEO_URL",
            PeerTubeService.name: "YTHOST_PEERTUBE_URL", DuckDuckGoService.name: "YTHOST_DUCKDUCKGO_URL",
        ][service]
    }

    /// Describes a delay in seconds.
    private static func later(_ seconds: Int64) -> String {
        if seconds <= 0 { return "at once" }
        if seconds < 120 { return "in \(seconds) second\(seconds == 1 ? "" : "s")" }
        let time = Timestamp.format(Clock.now() + seconds, as: .rfc3339)
        return seconds < 7200 ? "in \((seconds + 59) / 60) minutes, at \(time)" : "at \(time)"
    }

    /// Unusable credentials.
    public init(_ error: CredentialError) {
        switch error {
        case .cannotRead(let path, let reason):
            self.init(
                code: .configuration, kind: "credentials", message: "cannot read \(path): \(reason)",
                hint: "let ythost read there, or set XDG_CONFIG_HOME to another folder")
        case .cannotWrite(let path, let reason):
            self.init(
                code: .configuration, kind: "credentials", message: "cannot write \(path): \(reason)",
                hint: "let ythost write there, or set XDG_CONFIG_HOME to another folder; nothing was kept")
        case .unsafe(let path, let fault):
            let (reason, remedy) =
                switch fault {
                case .link: ("it is a link", "put the file itself there")
                case .owner: ("it belongs to somebody else", "make it yours")
                case .notPlain: ("it is no plain file or folder", "move it away")
                case .mode(let mode):
                    ("others may use it (mode \(String(mode, radix: 8)))", "chmod go= \(Self.quoted(path))")
                }
            self.init(
                code: .configuration, kind: "credentials", message: "\(path) is not safe for a key: \(reason)",
                hint: remedy)
        case .malformed(let path):
            self.init(
                code: .configuration, kind: "credentials", message: "\(path) is not what ythost wrote",
                hint: "delete it, and log in again")
        case .badName(let name):
            self.init(
                code: .usage, kind: "usage", message: "'\(name)' is no name of a profile",
                hint: "letters, digits, -, _, . and @")
        }
    }
}

extension LookUp.Kind {
    fileprivate var words: String {
        switch self {
        case .videos: "videos by id"
        case .channel: "channels"
        case .playlist: "playlists"
        case .uploads: "what a channel published"
        case .items: "what is in a playlist"
        }
    }

    fileprivate var vimeoHint: String? {
        switch self {
        case .videos: "a video's id is a number, behind which the hash of an unlisted one may stand (ID:HASH)"
        case .channel, .uploads: "who publishes at Vimeo is a user: give the id, the name or the address of the page"
        case .playlist, .items:
            "give the address of a showcase, channel, group, category or tag, or its path, such as groups/NAME"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .videos: "a video's id has 11 characters; yt.parse_url finds it in an address"
        case .channel, .uploads: "give the channel's id (UC…), its @handle, or the address of its page"
        case .playlist, .items: "give the playlist's id (PL…) or its address"
        }
    }
}

extension SearchPage.Fallback {
    /// The failure as one line of text.
    package func text(service: String) -> String {
        Self.text(ErrorReport(reason).message, age: age)
    }

    /// The warning for a stale reply, `age` seconds old, that replaces one that could not be fetched.
    package static func text(_ reason: String, age: Int64) -> String {
        let (amount, unit) =
            age < 120
            ? (age, "second")
            : age < 7200
                ? (age / 60, "minute")
                : age < 172_800 ? (age / 3600, "hour") : (age / 86_400, "day")
        return "\(reason); an answer is used that is \(amount) \(unit)\(amount == 1 ? "" : "s") old"
    }
}

extension NetworkWarning {
    /// One line for the user.
    public var text: String {
        switch self {
        case .mended(.setAside(let path, let name)):
            "\(path) was damaged; it is now \(name), and an empty one took its place"
        case .forgotten(.setAside(let path, let name)):
            "\(path) was damaged and is now \(name): the calls that were made today are forgotten, and counting begins "
                + "at 0 while the services go on from theirs"
        case .counts(let error): "what came of a call cannot be written down: \(error.words)"
        case .answers(let error): "answers are not kept: \(error.words)"
        case .tokenLeft(let service, let token, let cause):
            "\(token.words) is still good at \(service), since \(cause.words): end it on "
                + KeyWords.of(service).console
        }
    }
}

extension NetworkWarning.Token {
    fileprivate var words: String {
        switch self {
        case .new: "the token that was just issued, and is not kept,"
        case .replaced(let profile): "the token that the profile '\(profile)' had before"
        }
    }
}

extension NetworkWarning.Cause {
    fileprivate var words: String {
        switch self {
        case .offline: "nothing may be sent"
        case .elsewhere(let server): "\(server) gave it, which is not asked now"
        case .unsendable: "it has characters that cannot be sent"
        case .failed(let error): "it could not be revoked (\(ErrorReport(error).message))"
        }
    }
}

extension StoreError {
    /// What happened, as text.
    var words: String {
        switch self {
        case .cannotOpen(let path, let reason), .failed(let path, let reason): "\(path): \(reason)"
        case .newer(let path, _): "\(path) was written by a later ythost"
        case .full(let path): "\(path): the disk is full"
        case .busy(let path): "\(path): another process keeps it locked"
        case .corrupt(let path): "\(path) is damaged"
        case .tooLarge(let size, let limit): "\(size) bytes are more than the \(limit) that are kept"
        }
    }

    /// A hint for when its calls cannot be counted.
    var remedy: String {
        switch self {
        case .full: "make room on the disk, or set XDG_STATE_HOME to a folder on another"
        case .newer(let path, _):
            "use that ythost, or move \(ErrorReport.quoted(path)) away, which forgets what was spent today"
        case .busy: "try again when the other process is done"
        case .corrupt(let path): "move \(ErrorReport.quoted(path)) away, which forgets what was spent today"
        case .cannotOpen, .failed, .tooLarge:
            "let ythost write there, or set XDG_STATE_HOME to another folder; kept answers cost nothing: --offline"
        }
    }
}
