// `login`, `logout`, `quota` and `cache`: keys, what was spent with them, and the answers that are kept.

import Glibc
import YTHost

/// What these commands take besides words.
private struct AccountArguments {
    var words: [String] = []
    var services = Setup.services
    var wantsHelp = false

    init(_ arguments: [String], flags: Set<String>) throws(HostError) {
        var words = arguments
        Help.dropDiagnosticFlags(&words)
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wantsHelp = true
            case "--offline" where flags.contains(word): services.isOffline = true
            case "--profile" where flags.contains(word):
                guard let name = rest.popFirst() else { throw .usage("--profile needs a name") }
                services.profile = name
            case _ where word.hasPrefix("--profile=") && flags.contains("--profile"):
                services.profile = String(word.dropFirst("--profile=".count))
            case _ where word.hasPrefix("-"): throw .usage("unknown flag \(word)", hint: "--help tells more")
            default: self.words.append(word)
            }
        }
        try services.check()
    }

    func setup(_ diagnostics: Diagnostics) -> ServiceSetup {
        var services = services
        services.warn = { diagnostics.log(.warning, $0) }
        return services
    }

    /// The account at the service that is named.
    func account(_ command: String, _ diagnostics: Diagnostics) throws(HostError) -> ServiceAccount {
        let setup = setup(diagnostics)
        guard words.count == 1 else {
            throw .usage(
                "\(command) takes the name of a service: \(ServiceAccount.names(setup).joined(separator: ", "))",
                hint: "ythost \(command) youtube")
        }
        return try ServiceAccount(words[0], setup)
    }
}

enum LoginCommand: Command {
    static let name = "login"
    static let usage = "SERVICE [--profile NAME] [--offline]"
    static let summary = "keep a service's key, after trying it"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags: ["--profile", "--offline"])
        if given.wantsHelp {
            try Help.print(
                Help.command(Self.self, flags: [])
                    + "\n\nThe key is read from the terminal, without being shown, or from standard input.\n\n"
                    + guides(given, diagnostics))
            return .done
        }
        let account = try given.account(name, diagnostics)
        guard let key = readKey(account) else { throw .usage("there was no key on standard input") }
        let place = try account.logIn(key, profile: given.services.profile)
        diagnostics.log(.warning, "the key is kept in \(place)")
        return .done
    }

    /// How to come by the key of the service that is named, or of each.
    private static func guides(_ given: AccountArguments, _ diagnostics: Diagnostics) -> String {
        let setup = given.setup(diagnostics)
        let names = given.words.isEmpty ? ServiceAccount.names(setup) : given.words
        return names.compactMap { try? ServiceAccount($0, setup).guide }.joined(separator: "\n\n")
    }

    /// A line from a terminal that does not show it, or the first line of what stands on standard input.
    private static func readKey(_ account: ServiceAccount) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
        say(account.guide + "\n\nThe key, which is not shown: ")
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        // An interrupt ends the process: the terminal must show what is typed again.
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

    /// Read by a signal handler alone, which runs only while nothing writes it.
    nonisolated(unsafe) private static var saved = termios()

    private static func say(_ text: String) {
        try? DescriptorSink(descriptor: STDERR_FILENO, name: "standard error").write(Array(text.utf8))
    }
}

enum LogoutCommand: Command {
    static let name = "logout"
    static let usage = "SERVICE [--profile NAME]"
    static let summary = "delete a service's kept key"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags: ["--profile"])
        if given.wantsHelp {
            try Help.print(Help.command(Self.self, flags: []))
            return .done
        }
        let found = try given.account(name, diagnostics).logOut(profile: given.services.profile)
        diagnostics.log(.warning, found ? "the key is deleted" : "there was no key")
        return .done
    }
}

enum QuotaCommand: Command {
    static let name = "quota"
    static let usage = "[--profile NAME]"
    static let summary = "what was spent today of what services allow"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags: ["--profile"])
        if given.wantsHelp {
            try Help.print(Help.command(Self.self, flags: []))
            return .done
        }
        if let word = given.words.first { throw .usage("quota takes no words, got '\(word)'") }
        try Help.print(Help.table(try ServiceAccount.quotas(given.setup(diagnostics), at: try Setup.frozenTime())))
        return .done
    }
}

enum CacheCommand: Command {
    static let name = "cache"
    static let usage = "info | clear | prune"
    static let summary = "answers that are kept: what there is, delete all, delete what is too old"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags: [])
        if given.wantsHelp {
            try Help.print(Help.command(Self.self, flags: []))
            return .done
        }
        var services = given.services
        services.warn = { diagnostics.log(.warning, $0) }
        let answers = KeptAnswers(services.network())
        switch given.words {
        case ["info"]: try Help.print(Help.table(try answers.info()))
        case ["clear"]: diagnostics.log(.warning, "\(try answers.clear()) kept answers are deleted")
        case ["prune"]: diagnostics.log(.warning, "\(try answers.prune()) kept answers were too old, and are deleted")
        default: throw .usage("cache takes one of info, clear and prune", hint: "ythost cache info")
        }
        return .done
    }
}
