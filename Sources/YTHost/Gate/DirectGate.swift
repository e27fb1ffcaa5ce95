// The gate in the same process: it carries requests out at once.

import VideoModel
import VideoServices

final class DirectGate: Gate {
    private let services: [any VideoService]
    private let locator: PluginLocator
    private let inputs: [RunRequest.Input]
    /// The input that is being read; those before it are closed.
    private var open: (index: Int, file: InputFile)?
    private let sink: any OutputSink
    private let log: (LogLevel, String) -> Void
    private let defaultSource: () -> String
    /// Set when the output is a terminal.
    private var terminal: TerminalFilter?
    private let budgets: Budgets
    private let grants: GrantBook
    /// Folders that no grant opens.
    private let forbidden: [String]
    /// The plugins that were handed out, by path.
    private var plugins: [String: PluginFile] = [:]
    private var saidDefault = false
    private var requests = 0
    private var calls = 0
    private var written = 0
    private var logged = 0
    /// The only plugins that are handed out; nil when whoever asks is trusted with any file.
    private let named: Set<String>?
    private let start = Clock.monotonic()

    init(
        services: [any VideoService], locator: PluginLocator, named: Set<String>?, inputs: [RunRequest.Input],
        sink: any OutputSink,
        isTerminal: Bool, budgets: Budgets, grants: GrantBook, forbidden: [String],
        defaultSource: @escaping () -> String,
        log: @escaping (LogLevel, String) -> Void
    ) {
        self.services = services
        self.locator = locator
        self.named = named
        self.inputs = inputs
        self.sink = sink
        self.budgets = budgets
        terminal = isTerminal ? TerminalFilter() : nil
        self.grants = grants
        self.forbidden = forbidden
        self.defaultSource = defaultSource
        self.log = log
    }

    private var found: [String: PluginFile] = [:]
    private var anticipated: (service: String, query: SearchQuery, limit: Int, page: SearchPage)?

    /// What a worker said that plugins declare, in the order it was asked.
    private(set) var declared: [Result<PluginManifest, HostError>] = []

    func note(declared value: FieldValue) {
        let failure = value["failure"]
        declared.append(
            failure.isNone ? .success(PluginManifest(wire: value)) : .failure(HostError(failureWire: failure)))
    }

    /// Does what a run will ask first while its worker is being started: reads the plugins it names, and searches a
    /// service that answers from this machine. What goes wrong here is told when it is asked for.
    func anticipate(_ run: RunRequest) {
        for name in [run.plugin] + run.stages.map(\.pluginName) {
            if let name, let file = try? locator.find(name) { found[name] = file }
        }
        let words = run.arguments
        guard run.inputs.isEmpty, !words.isEmpty, !words.contains(where: { $0.hasPrefix("--") }) else { return }
        let query = SearchQuery(words: words.joined(separator: " "), options: run.search)
        guard let service = services.first(where: { $0.name == run.source ?? defaultSource() }), service.isLocal,
            (try? service.check(query)) != nil,
            let page = try? service.search(query, limit: run.fetch ?? .max, page: nil)
        else { return }
        anticipated = (service.name, query, run.fetch ?? .max, page)
    }

    /// The answer to a first page, if it is there already.
    private func anticipated(_ service: String, _ query: SearchQuery, _ limit: Int, _ page: String?) -> SearchPage? {
        guard let ready = anticipated, page == nil, ready.service == service, ready.limit == limit, ready.query == query
        else { return nil }
        anticipated = nil
        return ready.page
    }

    func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply {
        // The pipeline itself searches, and nothing else that takes a grant: code from the command line is no plugin, but
        // asks like one.
        if let grant = request.grant, plugin != nil || grant != .search {
            return try carryOut(request, checked(grant, for: plugin))
        }
        return try carryOut(request, nil)
    }

    /// The grant as it is meant, with paths resolved, if the plugin has it.
    private func checked(_ wanted: Grant, for path: String?) throws(HostError) -> Grant {
        let plugin = path.flatMap { plugins[$0] }
        let all = plugin.map(grants.grants) ?? grants.forThisRun
        // Without any grant of the kind not even what is there is told.
        guard all.contains(where: { $0.kind == wanted.kind }) else { throw .grantMissing(plugin: path, wanted) }
        let wanted = try OutsideWorld.resolved(wanted, forbidden: forbidden)
        for given in all {
            if let given = try? OutsideWorld.resolved(given, forbidden: forbidden), given.covers(wanted) {
                return wanted
            }
        }
        throw .grantMissing(plugin: path, wanted)
    }

    /// - Parameter grant: the one that was checked; nil when the pipeline itself asks.
    private func carryOut(_ request: GateRequest, _ grant: Grant?) throws(HostError) -> GateReply {
        switch request {
        case .search(let source, let query, let limit, let page):
            let service = try service(named: source)
            requests += 1
            if budgets.requests > 0, requests > budgets.requests { throw .budgetSpent(.requests, budgets) }
            if budgets.calls > 0, calls >= budgets.calls { throw .budgetSpent(.calls, budgets) }
            do throws(ServiceError) {
                try service.check(query)
                let answer: SearchPage
                if let ready = anticipated(service.name, query, limit ?? .max, page) {
                    answer = ready
                } else {
                    answer = try service.search(query, limit: limit ?? .max, page: page)
                }
                calls += answer.calls
                return .page(answer, source: service.name)
            } catch {
                throw .service(error)
            }
        case .plugin(let name):
            if let named, !named.contains(name) { throw .workerDied("it asked for a plugin that nobody named") }
            let file: PluginFile
            if let ready = found.removeValue(forKey: name) { file = ready } else { file = try locator.find(name) }
            plugins[file.path] = file
            return .plugin(file)
        case .readFile:
            guard case .read(let path)? = grant else { return .done }
            return .bytes(try OutsideWorld.read(path))
        case .writeFile(_, let bytes):
            guard case .write(let path)? = grant else { return .done }
            try OutsideWorld.write(path, bytes)
            return .done
        case .variable:
            guard case .env(let name)? = grant else { return .done }
            return .bytes(OutsideWorld.variable(name).map { Array($0.utf8) })
        case .zone(let name):
            return .bytes(TimeZones.file(of: name))
        case .execute(let arguments, let input, let timeout, let limit):
            guard case .exec(let path)? = grant else { return .done }
            let left = budgets.wall > 0 ? budgets.wall - (Clock.monotonic() - start) : .infinity
            let outcome = try ProgramRun(
                path: path, arguments: Array(arguments.dropFirst()), input: input,
                timeout: max(0, min(timeout, left, 3600)), limit: min(limit, OutsideWorld.largestFile)
            ).run()
            return .executed(
                status: outcome.status, output: outcome.output, errors: outcome.errors, killed: outcome.killed)
        case .read(let index):
            return .block(try input(index).next())
        case .write(let bytes):
            written += bytes.count
            if budgets.output > 0, written > budgets.output { throw .budgetSpent(.output, budgets) }
            try sink.write(terminal?.filter(bytes) ?? bytes)
            return .done
        case .log(let level, let text):
            logged += text.utf8.count
            if budgets.output > 0, logged > budgets.output { throw .budgetSpent(.output, budgets) }
            log(level, text)
            return .done
        case .module(let name, let folder):
            guard folder == nil || plugins.values.contains(where: { $0.folder == folder }) else {
                throw .moduleNotFound(name: name, looked: [])
            }
            let module = try locator.module(name, folder: folder)
            return .module(text: module.text, name: module.name)
        }
    }

    private func service(named name: String?) throws(HostError) -> any VideoService {
        let wanted = name ?? defaultSource()
        guard let service = services.first(where: { $0.name == wanted }) else {
            throw .unknownSource(name: wanted, known: services.map(\.name))
        }
        if name == nil, !saidDefault {
            saidDefault = true
            log(.warning, "no key is configured: searching the bundled sample library (--source chooses)")
        }
        return service
    }

    private func input(_ index: Int) throws(HostError) -> InputFile {
        if let open, open.index == index { return open.file }
        guard inputs.indices.contains(index) else { throw .workerDied("it asked for an input that nobody named") }
        open = nil
        let file = try InputFile(inputs[index])
        open = (index, file)
        return file
    }
}
