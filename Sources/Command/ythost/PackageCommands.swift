// The `plugin` subcommands for packages: install, update, remove, verify and publish them.

import Glibc
import YTHost

/// Arguments of these subcommands.
struct PackageArguments {
    var words: [String] = []
    var choices = PackageInstaller.Choices()
    var isUsers = false
    var isProject = false
    var source: String?
    var key: String?
    var output: String?
    var wantsHelp = false

    static let flags: [Flag<PackageArguments>] = [
        Flag("user", "use the user's packages, even where a project has its own") { $0.isUsers = true },
        Flag("project", "use this folder's packages; creates ythost.lock and plugins here") { $0.isProject = true },
        Flag("yes", letter: "y", "update without asking; never accepts a new grant") { $0.choices.agrees = true },
        Flag("accept", value: "GRANT", "accept this new grant when updating; repeatable") {
            given, value throws(HostError) in given.choices.accepted.append(try Grant(value.text))
        },
        Flag("diff", "update: also show the changed lines") { $0.choices.showsLines = true },
        Flag("unsigned", "accept a package without a signature, although there are allowed signers") {
            $0.choices.takesUnsigned = true
        },
        Flag("older", "accept a version older than the installed one") { $0.choices.takesOlder = true },
        Flag("from", value: "SOURCE", "update from this source, now and in future") { $0.source = $1.text },
        Flag("source", value: "SOURCE", "sign: the source where the package is published") { $0.source = $1.text },
        Flag("key", value: "FILE", "sign: an SSH key file; the private half of a public key is found in ssh-agent") {
            $0.key = $1.text
        },
        Flag("output", letter: "o", value: "FILE", "pack: the archive to write") { $0.output = $1.text },
    ]

    init(_ arguments: [String]) throws(HostError) {
        let given = try FlagArguments(arguments, Self.flags)
        words = given.words
        wantsHelp = given.wantsHelp
        try given.apply(to: &self)
        if isUsers, isProject { throw .usage("--user and --project are two places", hint: "leave one of them out") }
    }

    /// The package directory: that of the nearest lock file upwards, else the user's.
    func home() throws(HostError) -> PackageDirectory {
        if isProject { return PackageDirectory(folder: ".") }
        if !isUsers, let project = PackageDirectory.nearest(from: ".") { return project }
        guard let home = Setup.packages else {
            throw .usage(
                "there is no place for packages: neither HOME nor XDG_DATA_HOME is set",
                hint: "--project keeps them in this folder")
        }
        return home
    }

    func desk(_ diagnostics: Diagnostics) throws(HostError) -> PackageInstaller {
        try PackageInstaller(
            home: home(), host: Setup.host(diagnostics), network: Setup.services.network(), policy: Setup.policy())
    }
}

enum PackageCommands {
    /// The subcommands and their arguments.
    static let words: [(name: String, usage: String)] = [
        ("add", "SOURCE"), ("update", "[PACKAGE…]"), ("remove", "PACKAGE"), ("verify", "[PACKAGE…]"),
        ("restore", "[PACKAGE…]"), ("pack", "FOLDER"), ("sign", "FOLDER"),
    ]

    /// Runs a subcommand.
    ///
    /// - Returns: its exit code; nil if the word is not one of these.
    static func run(
        _ word: String, _ arguments: [String], _ diagnostics: Diagnostics
    ) throws(HostError) -> ErrorReport.Code? {
        guard let usage = words.first(where: { $0.name == word })?.usage else { return nil }
        var given = try PackageArguments(arguments)
        if given.wantsHelp {
            try Help.print(PluginCommand.help)
            return .done
        }
        let takesAny = usage.hasPrefix("[")
        guard takesAny || given.words.count == 1 else {
            throw .usage("plugin \(word) takes one word: \(usage)", hint: "ythost plugin \(word) \(usage)")
        }
        given.choices.show = { text throws(HostError) in try Help.print(text) }
        if Terminal.canAnswer { given.choices.ask = { question throws(HostError) in Terminal.ask(question) } }
        switch word {
        case "add": try add(given, diagnostics)
        case "update": return try update(given, diagnostics)
        case "remove":
            let desk = try given.desk(diagnostics)
            try desk.remove(given.words[0])
            diagnostics.log(.warning, "removed \(given.words[0]) from \(desk.home.lockPath)")
        case "verify":
            let desk = try given.desk(diagnostics)
            let found = try desk.verify(given.words, takesUnsigned: given.choices.takesUnsigned)
            for name in found.unknownSigners {
                diagnostics.log(
                    .warning, "who signed '\(name)' is only what the lock says: no allowed signers here know the key")
            }
            try Help.print(
                "as \(desk.home.lockPath) says: packages \(found.packages), plugins \(found.plugins)")
        case "restore":
            let desk = try given.desk(diagnostics)
            let restored = try desk.restore(given.words, takesUnsigned: given.choices.takesUnsigned)
            diagnostics.log(
                .warning, restored.isEmpty ? "all is as it is locked" : "restored \(restored.joined(separator: ", "))")
        case "pack": try pack(given, diagnostics)
        default: try sign(given, diagnostics)
        }
        return .done
    }

    private static func add(_ given: PackageArguments, _ diagnostics: Diagnostics) throws(HostError) {
        let desk = try given.desk(diagnostics)
        let name = try desk.add(try PackageSource(given.words[0]), given.choices)
        diagnostics.log(.warning, "added to \(desk.home.lockPath)")
        try tellAsked(name, desk, diagnostics)
    }

    private static func tellAsked(
        _ name: String, _ desk: PackageInstaller, _ diagnostics: Diagnostics
    ) throws(HostError) {
        let asked = try desk.askedFor(name)
        if asked.isEmpty { return }
        diagnostics.log(.warning, "what its plugins ask for is not given, until you do:")
        for command in asked { diagnostics.log(.warning, "  " + command) }
    }

    /// Updates packages one after another. A failure is reported, and the others continue.
    ///
    /// - Returns: the exit code of the first failure.
    private static func update(
        _ given: PackageArguments, _ diagnostics: Diagnostics
    ) throws(HostError) -> ErrorReport.Code {
        let desk = try given.desk(diagnostics)
        let names = given.words.isEmpty ? try desk.names() : given.words
        if given.source != nil, names.count != 1 { throw .usage("--from says where one package comes from") }
        let source: PackageSource? = if let text = given.source { try PackageSource(text) } else { nil }
        var code = ErrorReport.Code.done
        for name in names {
            do throws(HostError) {
                if try desk.update(name, from: source, given.choices) {
                    diagnostics.log(.warning, "updated \(name) in \(desk.home.lockPath)")
                    try tellAsked(name, desk, diagnostics)
                } else {
                    diagnostics.log(.warning, "\(name) is up to date")
                }
            } catch {
                guard names.count > 1, let report = error.report else { throw error }
                diagnostics.show(report)
                if code == .done { code = report.code }
            }
        }
        return code
    }

    private static func pack(_ given: PackageArguments, _ diagnostics: Diagnostics) throws(HostError) {
        let (bytes, name) = try PackageInstaller.pack(given.words[0])
        let path = given.output ?? name
        // A file with the default name in an untrusted folder may be a link to anywhere.
        let sink = try FileSink(path: path, isChosen: given.output != nil)
        try sink.write(bytes)
        try sink.commit()
        diagnostics.log(.warning, "packed \(path)")
    }

    private static func sign(_ given: PackageArguments, _ diagnostics: Diagnostics) throws(HostError) {
        guard let key = given.key, let source = given.source else {
            throw .usage(
                "plugin sign needs a key and where the package is published",
                hint: "ythost plugin sign FOLDER --key ~/.ssh/id_ed25519 --source git+https://HOST/PATH.git")
        }
        let what = try PackageInstaller.sign(given.words[0], source: source, key: key)
        diagnostics.log(.warning, "signed \(what)")
    }
}
