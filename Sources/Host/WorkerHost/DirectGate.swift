// The gate in the same process. `admit` is the one place that checks grants and counts requests; it runs on the serving
// thread. It returns slow requests as work for any thread.

import Basics
import Files
import Gate
import HostErrors
import Packages
import Pictures
import Pipeline
import RecordStreams
import Sandbox
import Threads
import VideoServices
import WebClient

package final class DirectGate: Gate {
    let services: [any VideoService]
    private let locator: PluginLocator
    private let inputs: [RecordInput]
    let origins: [FeedSource]
    let typedOrigins: Set<String>
    /// Receives images whose own URLs were requested as pages.
    let pictures: DirectPictures?
    /// The options of the run's own search.
    let search: [SearchOption: FieldValue]
    /// The open input; inputs before it are closed.
    private var open: (index: Int, file: InputFile)?
    let sink: any OutputSink
    private let log: (LogLevel, String) -> Void
    private let defaultSource: () -> String
    /// The source that the user named.
    private let chosenSource: String?
    /// Records calls instead of making them; nil if calls are made.
    private let dry: DryRun?
    /// The network used by `yt.http.get`.
    let network: Network
    /// Set when the output is a terminal.
    private var terminal: TerminalFilter?
    private let budgets: Budgets
    let grants: GrantBook
    /// Folders that no grant opens.
    let forbidden: [String]
    private let decoder: PictureDecoder?
    /// The plugins returned so far.
    private(set) var plugins: [PluginFile] = []
    private var saidDefault = false
    private var saidNewest = false
    private var requests = 0
    /// Calls counted by services, and calls reserved for pending requests.
    private struct Calls {
        var counted = 0
        var reserved = 0
    }
    private let calls = Monitor(Calls())
    /// The final URLs, after redirects, of the URLs that the user named, by their index.
    let ledTo = Monitor<[Int: WebAddress]>([:])
    /// Threads for slow requests.
    private let errands = RequestPool()
    private var started = 0
    private let outcomes = Monitor(Outcomes())
    /// Called, on any thread, when a pending request has its outcome.
    var onOutcome: @Sendable () -> Void = {}
    private var written = 0
    private var logged = 0
    /// The only plugins that may be returned; nil if the caller may name any file.
    private let named: Set<String>?
    private let start = Clock.monotonic()

    package init(
        services: [any VideoService], locator: PluginLocator, named: Set<String>?, inputs: [RecordInput],
        origins: [FeedSource], typedOrigins: Set<String>, pictures: DirectPictures? = nil,
        search: [SearchOption: FieldValue],
        sink: any OutputSink,
        isTerminal: Bool, linkMark: String = "", isDry: Bool = false, budgets: Budgets, grants: GrantBook,
        forbidden: [String], decoder: PictureDecoder? = nil,
        defaultSource: @escaping () -> String, chosenSource: String? = nil, network: Network,
        log: @escaping (LogLevel, String) -> Void
    ) {
        self.services = services
        self.locator = locator
        self.named = named
        self.inputs = inputs
        self.origins = origins
        self.typedOrigins = typedOrigins
        self.pictures = pictures
        self.search = search
        self.sink = sink
        self.budgets = budgets
        terminal = isTerminal ? TerminalFilter(linkMark: linkMark) : nil
        self.grants = grants
        self.forbidden = forbidden
        self.decoder = decoder
        dry = isDry ? DryRun(keepsAnswers: network.cache != nil && network.settings.policy != .networkOnly) : nil
        self.defaultSource = defaultSource
        self.chosenSource = chosenSource
        self.network = network
        self.log = log
    }

    /// Ends the output: resets colours that a text left on.
    package func endOutput() {
        guard let ending = terminal?.ending(), !ending.isEmpty else { return }
        try? sink.write(ending)
    }

    private var prefetched: (service: String, query: SearchQuery, limit: Int, page: SearchPage)?

    /// The manifests reported by the worker, in the order of the requests.
    package private(set) var declared: [Result<PluginManifest, HostError>] = []

    func note(declared value: FieldValue) {
        let failure = value["failure"]
        if failure.isNone, let manifest = PluginManifest(wire: value) {
            declared.append(.success(manifest))
        } else {
            declared.append(.failure(HostError(failureWire: failure)))
        }
    }

    /// Runs the search of a run while its worker loads plugins, if the service is local. Returns the request and its
    /// reply. Errors are dropped here, and the search is not counted: both happen when the worker requests it.
    func prefetch(_ run: RunRequest) -> (GateRequest, GateReply)? {
        let words = run.arguments
        guard run.inputs.isEmpty, run.origins.isEmpty, !run.isDry, !words.isEmpty,
            !words.contains(where: { $0.hasPrefix("--") })
        else {
            return nil
        }
        let query = SearchQuery(words: words.joined(separator: " "), options: run.search)
        guard let service = services.first(where: { $0.name == run.source ?? defaultSource() }), service.isLocal,
            (try? service.check(query)) != nil,
            let page = try? service.search(query, limit: run.fetch ?? .max, page: nil)
        else { return nil }
        prefetched = (service.name, query, run.fetch ?? .max, page)
        return (
            .search(source: run.source, query: query, limit: run.fetch, page: nil), Self.reply(page, of: service)
        )
    }

    /// The prefetched reply to a first page, if there is one.
    private func prefetched(_ service: String, _ query: SearchQuery, _ limit: Int, _ page: String?) -> SearchPage? {
        guard let ready = prefetched, page == nil, ready.service == service, ready.limit == limit, ready.query == query
        else { return nil }
        prefetched = nil
        return ready.page
    }

    // MARK: Requests

    /// The work that is left after a request was admitted.
    enum Work {
        case done(GateReply)
        /// Takes a long time.
        case slow(RequestPool.Work)
    }

    package func ask(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateReply {
        switch try admit(request, for: plugin) {
        case .done(let reply): return reply
        case .slow(let work):
            started += 1
            return try errands.now(started, work)
        }
    }

    package func start(_ request: GateRequest, for plugin: String?) throws(HostError) -> GateTicket {
        begin(.success(try admit(request, for: plugin)))
    }

    /// Starts the remaining work of a request, or records why it was refused.
    func begin(_ work: Result<Work, HostError>) -> GateTicket {
        started += 1
        let ticket = GateTicket(number: started)
        switch work {
        case .success(.done(let reply)): outcomes.withLock { $0.open[ticket] = .success(reply) }
        case .failure(let error): outcomes.withLock { $0.open[ticket] = .failure(error) }
        case .success(.slow(let work)):
            outcomes.withLock { $0.open[ticket] = .some(nil) }
            errands.begin(ticket.number, work) { [outcomes, onOutcome] outcome in
                outcomes.withLock { $0.put(outcome, ticket) }
                onOutcome()
            }
        }
        return ticket
    }

    package func wait(for tickets: Set<GateTicket>) -> (GateTicket, Result<GateReply, HostError>) {
        let end = budgets.wall > 0 ? start + budgets.wall : nil
        if let taken = outcomes.wait(until: end, for: { $0.take(firstOf: tickets) }) { return taken }
        for ticket in tickets { abandon(ticket) }
        return (tickets.first ?? GateTicket(number: 0), .failure(.budgetSpent(.wall, budgets)))
    }

    /// The first outcome that is available.
    func take(firstOf tickets: some Sequence<GateTicket>) -> (GateTicket, RequestPool.Outcome)? {
        outcomes.withLock { $0.take(firstOf: tickets) }
    }

    package func isDone(_ ticket: GateTicket) -> Bool {
        outcomes.withLock { $0.open[ticket].map { $0 != nil } ?? true }
    }

    package func abandon(_ ticket: GateTicket) {
        outcomes.withLock { $0.forget(ticket) }
        errands.abandon(ticket.number)
    }

    /// Cancels all pending requests.
    func cancelAll() { errands.cancelAll() }

    /// Checks a request, and carries it out unless it takes long.
    func admit(_ request: GateRequest, for plugin: String?) throws(HostError) -> Work {
        // The search grant does not include running a program.
        if plugin != nil, let source = request.source, source != chosenSource,
            let program = services.first(where: { $0.name == source })?.program
        {
            _ = try checked(.exec(program), for: plugin)
        }
        // The pipeline itself may only search without a grant: code from the command line is not a plugin but sends the
        // same requests.
        if let grant = request.grant, plugin != nil || grant != .search {
            let grant = try checked(grant, for: plugin)
            try checkAccount(request, for: plugin)
            return try carryOut(request, grant, for: plugin)
        }
        try checkAccount(request, for: plugin)
        return try carryOut(request, nil, for: plugin)
    }

    /// - Parameter grant: the checked grant; nil for requests of the pipeline itself.
    private func carryOut(
        _ request: GateRequest, _ grant: Grant?, for plugin: String?
    ) throws(HostError) -> Work {
        if let dry, !isNothing(request), let reply = try planned(request, for: plugin, dry) { return .done(reply) }
        switch request {
        case .search(let source, let query, let limit, let page):
            let service = try service(named: source)
            try spendRequest()
            let ready = prefetched(service.name, query, limit ?? .max, page)
            let publicOnly = seesPublicOnly(plugin, request, of: service)
            return try work(beside: !service.isLocal) { () throws(ServiceError) in
                try service.check(query)
                if let ready { return .page(ready, source: service.name) }
                return Self.reply(
                    try Self.asked(publicOnly: publicOnly) { () throws(ServiceError) in
                        try service.search(query, limit: limit ?? .max, page: page)
                    }, of: service)
            }
        case .lookUp(let source, let question, let limit, let page):
            if isNothing(request) { return .done(.page(SearchPage(body: [], format: "ythost"), source: source)) }
            let service = try service(named: source)
            try spendRequest()
            let publicOnly = seesPublicOnly(plugin, request, of: service)
            return try work(beside: !service.isLocal) { () throws(ServiceError) in
                Self.reply(
                    try Self.asked(publicOnly: publicOnly) { () throws(ServiceError) in
                        try service.lookUp(question, limit: limit ?? .max, page: page)
                    }, of: service)
            }
        case .service(let source, let question):
            let service = try service(named: source)
            try spendRequest()
            return try work(beside: !service.isLocal) { () throws(ServiceError) in
                let answer = try service.request(question)
                let remark = answer.fallback?.text(service: service.name)
                return .answer(answer.response, calls: answer.calls, remark: remark)
            }
        case .http(let request) where request.origin != nil: return try readNamed(request)
        case .http(let request):
            try spendRequest()
            let places = HostPatterns(given(to: plugin))
            let left = secondsLeft
            return .slow { [network] () throws(HostError) in
                let response = try request.send(by: network, for: plugin, places, within: left)
                return .answer(response, calls: 0, remark: response.remark)
            }
        case .draw(let picture, let screen):
            try spendRequest()
            return .slow { [decoder] () throws(HostError) in
                let (text, reason) = try screen.drawn(picture, by: decoder)
                return .executed(
                    status: text == nil ? 1 : 0, output: text ?? [], errors: Array(reason.utf8), killed: nil)
            }
        default: return .done(try carryOutAtOnce(request, grant))
        }
    }

    /// Seconds left of the wall budget.
    var secondsLeft: Double {
        budgets.wall > 0 ? max(0, budgets.wall - (Clock.monotonic() - start)) : .infinity
    }

    /// Whether the request is an enrichment that the service does not support: its reply is empty.
    private func isNothing(_ request: GateRequest) -> Bool {
        guard case .lookUp(let source, .videos(_, .some), _, _) = request else { return false }
        return services.first { $0.name == source }?.lookUps.contains(.videos) != true
    }

    /// A page with its remarks for the user.
    private static func reply(_ page: SearchPage, of service: any VideoService) -> GateReply {
        var page = page
        let remarks = [page.remark, page.fallback?.text(service: service.name)].compactMap(\.self)
        page.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        return .page(page, source: service.name)
    }

    func spendRequest() throws(HostError) {
        if budgets.requests > 0, requests >= budgets.requests { throw .budgetSpent(.requests, budgets) }
        requests += 1
    }

    /// Work that calls a service. The call budget is checked when the work starts: calls that are still pending may
    /// turn out to cost nothing.
    ///
    /// - Parameter beside: whether the work takes long; otherwise it is done now.
    private func work(
        beside: Bool, _ body: @escaping @Sendable () throws(ServiceError) -> GateReply
    ) throws(HostError) -> Work {
        let work: RequestPool.Work = { [calls, budgets] () throws(HostError) in
            let mayCall = calls.wait { calls in
                if budgets.calls == 0 || calls.counted + calls.reserved < budgets.calls {
                    calls.reserved += 1
                    return true
                }
                return calls.reserved == 0 ? false : nil as Bool?
            }
            guard mayCall == true else { throw .budgetSpent(.calls, budgets) }
            var spent = 0
            defer {
                calls.withLock { calls in
                    calls.reserved -= 1
                    calls.counted += spent
                }
            }
            do throws(ServiceError) {
                let reply = try body()
                spent = reply.calls
                return reply
            } catch {
                throw .service(error)
            }
        }
        return beside ? .slow(work) : .done(try work())
    }

    /// Requests that are fast or must be carried out in order.
    private func carryOutAtOnce(_ request: GateRequest, _ grant: Grant?) throws(HostError) -> GateReply {
        switch request {
        case .search, .lookUp, .plan, .planned, .service, .http, .draw: return .done
        case .lookUpOffers:
            return .lookUpOffers(services.map { LookUpOffer(service: $0.name, fields: $0.lookUpFields) })
        case .plugin(let name):
            if let named, !named.contains(name) { throw .workerDied("it asked for a plugin that nobody named") }
            let file: PluginFile
            file = try locator.find(name)
            plugins.append(file)
            return .plugin(file)
        case .readFile:
            guard case .read(let path)? = grant else { return .done }
            return .bytes(try SystemAccess.read(path))
        case .writeFile(_, let bytes):
            guard case .write(let path)? = grant else { return .done }
            try SystemAccess.write(path, bytes)
            return .done
        case .variable:
            guard case .env(let name)? = grant else { return .done }
            return .bytes(SystemAccess.variable(name).map { Array($0.utf8) })
        case .zone(let name):
            return .bytes(TimeZones.file(of: name))
        case .execute(let arguments, let input, let timeout, let limit):
            guard case .exec(let path)? = grant else { return .done }
            let left = secondsLeft
            let run = ProgramRun(
                path: path, arguments: Array(arguments.dropFirst()), input: input,
                timeout: max(0, min(timeout, left, 3600)), limit: min(limit, SystemAccess.largestFile))
            let outcome: ProgramRun.Outcome
            do throws(ProgramFault) { outcome = try run.run() } catch {
                throw .cannotRead(path: path, reason: error.reason)
            }
            // The worker's own clock started slightly later and may not have reached the limit yet.
            if outcome.killed != nil, left < timeout, secondsLeft == 0 { throw .budgetSpent(.wall, budgets) }
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
            if text == SearchStream.newestOnly {
                if saidNewest { return .done }
                saidNewest = true
            }
            log(level, text)
            return .done
        case .module(let name, let folder):
            guard folder == nil || plugins.contains(where: { $0.folder == folder }) else {
                throw .moduleNotFound(name: name, looked: [])
            }
            let asking = plugins.last { $0.folder == folder }
            let module = try locator.module(name, folder: folder, package: folder == nil ? nil : asking?.package)
            return .module(text: module.text, name: module.name)
        }
    }

    func service(named name: String?) throws(HostError) -> any VideoService {
        let wanted = name ?? defaultSource()
        guard let service = services.first(where: { $0.name == wanted }) else {
            throw .unknownSource(name: wanted, known: services.map(\.name))
        }
        if name == nil, !saidDefault, service is SampleService {
            saidDefault = true
            log(.warning, "no key is configured: searching the bundled sample library (--source chooses)")
        }
        return service
    }

    package func isReadable(input index: Int) -> Bool { (try? input(index))?.isReadable ?? false }

    private func input(_ index: Int) throws(HostError) -> InputFile {
        if let open, open.index == index { return open.file }
        guard inputs.indices.contains(index) else { throw .workerDied("it asked for an input that nobody named") }
        open = nil
        let file = try InputFile(inputs[index])
        open = (index, file)
        return file
    }
}
