// `login`: tests and stores a key or token, gets one by consent, selects a profile, lists profiles, or verifies a key.
// Secret input is not echoed.

import Glibc
import YTHost

enum LoginCommand: Command {
    static let name = "login"
    static let usage = "SERVICE [--profile NAME] [FLAGS]"
    static let summary = "store an API key or token of a service, or choose among stored ones"

    /// The action. At most one may be given.
    enum Way: String {
        case app, user, paste, token, list, verify

        var flag: String { "--" + rawValue }
    }

    /// Flags that only `login` has.
    struct Options {
        var ways: Set<Way> = []
        /// The profile to select.
        var use: String?
        var scope: String?
        var port: FlagValue?
        /// Seconds.
        var wait: FlagValue?
        var redirect: String?
    }

    private typealias Row = Flag<AccountArguments>

    private static let flags: [Row] = [
        AccountArguments.profile,
        AccountArguments.offline,
        way(.list, "list the stored keys; * marks the one in use"),
        Row("use", value: "NAME", "use this profile from now on") { $0.login.use = $1.text },
        way(.verify, "check that the service still accepts the key, and whose it is"),
    ]
    private static let asking: [Row] = [
        way(.app, "a token for public data (default)"),
        way(.user, "a token for your private data too: approve it in a browser on this machine"),
        way(.paste, "the same with a browser elsewhere: paste the address it ends at"),
        way(.token, "a token that you created yourself, from the terminal or standard input"),
        Row(
            "scope", value: "'S …'",
            "with --user and --paste: the scopes; default 'public private'"
        ) { $0.login.scope = $1.text },
        Row(
            "port", value: "N",
            "with --user: port of the redirect; default \(AccountLogin.usualPort)"
        ) { $0.login.port = $1 },
        Row(
            "wait", value: "SECONDS",
            "with --user: how long to wait; default \(AccountLogin.usualWait)"
        ) { $0.login.wait = $1 },
        Row("redirect", value: "URL", "with --paste: another callback address listed on the app's page") {
            $0.login.redirect = $1.text
        },
    ]

    private static func way(_ way: Way, _ summary: String) -> Row {
        Flag(way.rawValue, summary) { $0.login.ways.insert(way) }
    }

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags + asking)
        if given.wantsHelp {
            try Help.print(
                Help.command(Self.self) + "\n\n" + Help.table(flags.map { Help.row($0, space: "") })
                    + "\n\nservices that issue tokens (vimeo):\n\n"
                    + Help.table(asking.map { Help.row($0, space: "") })
                    + "\n\nThe key is read from the terminal without echo, or from standard input.\n\n"
                    + guides(given, diagnostics))
            return .done
        }
        let account = try given.account(name, diagnostics)
        let ways = given.login.ways
        guard ways.count + (given.login.use == nil ? 0 : 1) <= 1 else {
            throw .usage("\(names(ways, by: <)) cannot be meant together")
        }
        try check(given, ways.first)
        if let profile = given.login.use {
            try account.choose(profile)
            diagnostics.log(.warning, "the profile '\(profile)' is used from now on" + but(account))
            return .done
        }
        switch ways.first {
        case .list:
            try Help.print(Help.table(try account.list()))
        case .verify:
            try Help.print(Help.table(try account.verify()))
        case let way:
            let place = try keep(way, account, given)
            diagnostics.log(.warning, "the \(account.noun) is kept in \(place)" + but(account))
        }
        return .done
    }

    /// Explains what prevents a stored key from being used.
    private static func but(_ account: ServiceAccount) -> String {
        account.overriding.map { ", once \($0) is unset: until then that is used, unless --profile names another" }
            ?? ""
    }

    private static func names(_ ways: Set<Way>, by order: (String, String) -> Bool) -> String {
        ways.map(\.flag).sorted(by: order).joined(separator: " and ")
    }

    /// Rejects flags that would have no effect.
    private static func check(_ given: AccountArguments, _ way: Way?) throws(HostError) {
        let login = given.login
        let companions: [(flag: String, isGiven: Bool, ways: Set<Way>)] = [
            ("--scope", login.scope != nil, [.user, .paste]), ("--port", login.port != nil, [.user]),
            ("--wait", login.wait != nil, [.user]), ("--redirect", login.redirect != nil, [.paste]),
        ]
        for (flag, isGiven, ways) in companions where isGiven {
            if let way, ways.contains(way) { continue }
            throw .usage("\(flag) is only for \(names(ways, by: >))", hint: "leave one of them out")
        }
        if given.network.profile != nil, login.use != nil || way == .list {
            throw .usage("--profile does not go with \(way?.flag ?? "--use")", hint: "leave one of them out")
        }
        if let scopes = login.scope, !scopes.contains(where: { $0 != " " && $0 != "," }) {
            throw .usage("--scope names no scope", hint: "such as --scope 'public private'")
        }
    }

    private static func keep(
        _ way: Way?, _ account: ServiceAccount, _ given: AccountArguments
    ) throws(HostError) -> String {
        let profile = given.network.profile
        guard account.gives, way != .token else {
            guard way == nil || way == .token else {
                _ = try account.login()
                return ""
            }
            guard let key = read("The \(account.noun)", account.guide, isSecret: true) else {
                throw .usage("there was no \(account.noun) on standard input")
            }
            return try account.logIn(key, profile: profile)
        }
        let login = try account.login()
        var app: (id: String?, secret: String?) = (nil, nil)
        if try !login.knowsApp() {
            app.id = read("The client identifier", account.guide, isSecret: false) ?? ""
            app.secret = read("The client secret", "", isSecret: true) ?? ""
        }
        if way == nil || way == .app {
            return try login.asApp(id: app.id, secret: app.secret, profile: profile)
        }
        let scopes = given.login.scope ?? "public private"
        let question = AccountLogin.Question(
            id: app.id, secret: app.secret,
            scopes: scopes.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init), profile: profile)
        if way == .paste {
            return try login.byHand(question, redirect: given.login.redirect) { address in
                say(
                    "Open this address in a browser, agree, and paste the address that it comes to, even if there is\n"
                        + "nothing to be seen there:\n\n\(address)\n\n")
                return readLine(strippingNewline: true)
            }
        }
        return try login.inBrowser(
            question, port: try number(given.login.port, 1...65_535) ?? AccountLogin.usualPort,
            seconds: try number(given.login.wait, 1...86_400) ?? AccountLogin.usualWait
        ) { address in say("Open this address in a browser on this machine, and agree:\n\n\(address)\n\n") }
    }

    private static func number(_ value: FlagValue?, _ range: ClosedRange<Int>) throws(HostError) -> Int? {
        guard let value else { return nil }
        guard let number = Int(value.text), range.contains(number) else {
            throw .usage(
                "\(value.flag) is a number from \(range.lowerBound) to \(range.upperBound), not '\(value.text)'")
        }
        return number
    }

    /// How to get the key of the named service, or of each service.
    private static func guides(_ given: AccountArguments, _ diagnostics: Diagnostics) -> String {
        let setup = given.setup(diagnostics)
        let names = given.words.isEmpty ? ServiceAccount.names(setup) : given.words
        return names.compactMap { try? ServiceAccount($0, setup).guide }.joined(separator: "\n\n")
    }

    /// Reads a line from a terminal, without echo if it is secret, or the next line of standard input.
    private static func read(_ what: String, _ guide: String, isSecret: Bool) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
        say((guide.isEmpty ? "" : guide + "\n\n") + what + (isSecret ? ", which is not shown: " : ": "))
        guard isSecret else { return readLine(strippingNewline: true) }
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        // An interrupt ends the process, so turn echo on again.
        saved = settings
        signal(SIGINT) { _ in
            tcsetattr(STDIN_FILENO, TCSANOW, &LoginCommand.saved)
            _exit(ErrorReport.Code.interrupted.rawValue)
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            say("\n")
        }
        return readLine(strippingNewline: true)
    }

    /// Read only by a signal handler, which is installed only after the value is written.
    nonisolated(unsafe) private static var saved = termios()

    private static func say(_ text: String) {
        try? DescriptorSink(descriptor: STDERR_FILENO, name: "standard error").write(Array(text.utf8))
    }
}
