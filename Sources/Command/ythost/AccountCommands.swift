// `logout`, `quota` and `cache`: keys, what was spent with them, and the answers that are kept.

import Glibc
import YTHost

/// What these commands take besides words.
struct AccountArguments {
    var words: [String] = []
    var services = Setup.services
    var wantsHelp = false
    /// Further flags that a command takes: those that stand alone, and the values of others.
    private(set) var plain: Set<String> = []
    private(set) var values: [String: String] = [:]

    /// - Parameters:
    ///   - flags: those that stand alone.
    ///   - valued: those that a value follows.
    init(_ arguments: [String], flags: Set<String> = [], valued: Set<String> = []) throws(HostError) {
        var rest = Diagnostics.withoutFlags(arguments)[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch word {
            case "--help", "-h": wantsHelp = true
            case _ where flags.contains(word): plain.insert(word)
            case _ where valued.contains(parts.first ?? ""):
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw .usage("\(word) needs a value")
                }
                values[parts[0]] = value
            case _ where word.hasPrefix("-"): throw .usage("unknown flag \(word)", hint: "--help tells more")
            default: self.words.append(word)
            }
        }
        if plain.contains("--offline") { services.options.isOffline = true }
        services.options.profile = values["--profile"]
        try services.options.check()
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

enum LogoutCommand: Command {
    static let name = "logout"
    static let usage = "SERVICE [--profile NAME] [--offline]"
    static let summary = "delete a service's kept key; a token that a login got is revoked"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, flags: ["--offline"], valued: ["--profile"])
        if given.wantsHelp {
            let more = "\n\n--offline deletes it without telling the service, which goes on taking it"
            try Help.print(Help.command(Self.self) + more)
            return .done
        }
        let account = try given.account(name, diagnostics)
        let wasThere: Bool
        do throws(HostError) { wasThere = try account.logOut(profile: given.services.options.profile) } catch {
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
    static let summary = "what was spent today of what services allow"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments, valued: ["--profile"])
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
    static let summary = "answers that are kept: what there is, delete all, delete what is too old"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try AccountArguments(arguments)
        if given.wantsHelp {
            try Help.print(Help.command(Self.self))
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
