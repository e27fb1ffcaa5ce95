// `logout`, `quota` and `cache`: stored keys, the quota they spent, and cached replies.

import Glibc
import YTHost

/// Arguments of the commands about keys and cached replies. `--` is not supported.
struct AccountArguments: FlagTarget {
    static let letterStyle = LetterStyle.single

    static let profile = Flag<AccountArguments>("profile", value: "NAME", "the name to store it under") {
        $0.network.profile = $1.text
    }
    static let offline = Flag<AccountArguments>("offline", "store it without testing it") {
        $0.network.isOffline = true
    }

    private let flags: [Flag<AccountArguments>]
    var words: [String] = []
    var network = NetworkOptions()
    var login = LoginCommand.Options()
    var wantsHelp = false

    init(_ arguments: [String], _ flags: [Flag<AccountArguments>] = []) throws(HostError) {
        self.flags = flags
        try parse(Diagnostics.withoutFlags(arguments))
        try network.check()
    }

    func row(of flag: WrittenFlag) -> Flag<AccountArguments>? { flags.row(of: flag) }

    mutating func take(word: String) throws(HostError) {
        if word == "-" { throw unknown(word) }
        words.append(word)
    }

    func take(rest: ArraySlice<String>) throws(HostError) { throw unknown("--") }

    mutating func take(unknown flag: WrittenFlag) throws(HostError) {
        guard ["--help", "-h"].contains(flag.argument) else { throw unknown(flag.argument) }
        wantsHelp = true
    }

    func error(_ problem: FlagProblem, _ flag: WrittenFlag) -> HostError {
        switch problem {
        case .takesNoValue: unknown(flag.argument)
        case .needsValue: .usage("\(flag.shown) needs a value")
        }
    }

    private func unknown(_ argument: String) -> HostError {
        .usage("unknown flag \(argument)", hint: "--help tells more")
    }

    func setup(_ diagnostics: Diagnostics) -> ServiceSetup {
        var services = Setup.services
        services.options = network
        services.warn = { diagnostics.log(.warning, $0) }
        return services
    }

    /// The account at the service named in the arguments.
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

enum LogoutCommand: Command {
    static let name = "logout"
    static let usage = "SERVICE [--profile NAME] [--offline]"
    static let summary = "delete a stored key; revoke a token that `login` obtained"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, [AccountArguments.profile, AccountArguments.offline])
        if given.wantsHelp {
            let more = "\n\n--offline deletes it without revoking it at the service"
            try Help.print(Help.command(Self.self) + more)
            return .done
        }
        let account = try given.account(name, diagnostics)
        let wasThere: Bool
        do throws(HostError) { wasThere = try account.logOut(profile: given.network.profile) } catch {
            if account.gives, error.report?.code == .network {
                diagnostics.log(
                    .warning, "nothing is deleted; --offline deletes the token without telling \(given.words[0])")
            }
            throw error
        }
        guard wasThere else {
            diagnostics.log(.warning, "there was no \(account.noun)")
            return .done
        }
        let next = account.chosen().map { "; the profile '\($0)' is used from now on" } ?? ""
        diagnostics.log(.warning, "the \(account.noun) is deleted" + next)
        return .done
    }
}

enum QuotaCommand: Command {
    static let name = "quota"
    static let usage = "[--profile NAME]"
    static let summary = "show today's use of each service's quota"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, [AccountArguments.profile])
        if given.wantsHelp {
            try Help.print(Help.command(Self.self))
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
    static let summary = "show, clear or prune the response cache"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments)
        if given.wantsHelp {
            try Help.print(Help.command(Self.self))
            return .done
        }
        let answers = KeptAnswers(given.setup(diagnostics).network())
        switch given.words {
        case ["info"]: try Help.print(Help.table(try answers.info()))
        case ["clear"]: diagnostics.log(.warning, "\(try answers.clear()) kept answers are deleted")
        case ["prune"]: diagnostics.log(.warning, "\(try answers.prune()) kept answers were too old, and are deleted")
        default: throw .usage("cache takes one of info, clear and prune", hint: "ythost cache info")
        }
        return .done
    }
}
