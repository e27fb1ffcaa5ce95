// The host: it knows the services and where plugins are, and runs requests. What a run does is in `Run`.

import Files
import HostErrors
import Packages
import Pictures
import Pipeline
import RecordStreams
import VideoServices
import WorkerHost

/// Runs plugins over videos.
public final class ScriptHost {
    public let services: [any VideoService]
    public let locator: PluginLocator
    /// Folders that no grant opens, such as those of settings and keys; those of plugins are closed anyway.
    public let forbiddenFolders: [String]
    package let log: (LogLevel, String) -> Void
    package let network: Network
    /// What decodes pictures for terminals; nil where a program that embeds ythost names none.
    public var decoder: PictureDecoder?

    /// - Parameters:
    ///   - services: what can be searched; the first is searched when nothing is chosen.
    ///   - network: what the services share of the network, and `yt.http.get` goes through; one without kept answers when
    ///     absent. `finish` waits for it.
    ///   - log: gets lines for the person who runs it, plugins' own included.
    public init(
        services: [any VideoService], locator: PluginLocator, forbiddenFolders: [String] = [], network: Network? = nil,
        log: @escaping (LogLevel, String) -> Void = { _, _ in }
    ) {
        self.services = services
        self.locator = locator
        self.forbiddenFolders = forbiddenFolders
        self.network = network ?? Network()
        self.log = log
    }

    /// The same host, which has some plugins at hand and looks for none of them on the disk.
    package func having(_ plugins: [PluginFile]) -> ScriptHost {
        var locator = locator
        for plugin in plugins { locator.given[plugin.path] = plugin }
        return ScriptHost(
            services: services, locator: locator, forbiddenFolders: forbiddenFolders, network: network, log: log)
    }

    /// Waits for answers that are fetched only to be kept, at most so many seconds.
    public func finish(within seconds: Double = 10) { network.finish(within: seconds) }

    /// Carries a request out in this process. Budgets hold, but a plugin that finds a hole in Lua is in this process;
    /// `runIsolated` has it in one of its own.
    ///
    /// - Throws: the first failure; nothing is committed to the sink then. `.readerGone` when whoever reads the output
    ///   went away, which is no failure.
    public func run(_ request: RunRequest, to sink: any OutputSink) throws(HostError) -> RunReport {
        try checkSource(request)
        var request = request
        request.inputs = try FolderWalk.expanded(request.inputs)
        request.typedOrigins = Set(request.origins.map(\.line))
        request.origins = try expanded(request.origins) { list, sink throws(HostError) in
            _ = try run(list, to: sink)
        }
        let gate = directGate(request, sink)
        defer { gate.endOutput() }
        do throws(HostError) {
            return try Run(request, gate: gate, isAlone: false).go(sink)
        } catch {
            sink.discard()
            throw error
        }
    }

    /// Every folder that no grant opens.
    public var closedFolders: [String] { forbiddenFolders + locator.folders.map(\.path) }

    /// - Parameter named: the only plugins that whoever asks may have; nil for any.
    func directGate(
        _ request: RunRequest, _ sink: any OutputSink, named: Set<String>? = nil, pictures: DirectPictures? = nil
    ) -> DirectGate {
        DirectGate(
            services: services, locator: locator, named: named, inputs: request.inputs, origins: request.origins,
            typedOrigins: request.typedOrigins, pictures: pictures, search: request.search,
            sink: sink,
            isTerminal: request.isTerminal || sink.isTerminal, linkMark: request.linkMark,
            isDry: request.isDry, budgets: request.budgets,
            grants: request.grants, forbidden: closedFolders, decoder: decoder,
            defaultSource: { [services] in services.first?.name ?? "" }, chosenSource: request.source, network: network,
            log: log)
    }

    func checkSource(_ request: RunRequest) throws(HostError) {
        if let source = request.source, !services.contains(where: { $0.name == source }) {
            throw .unknownSource(name: source, known: services.map(\.name))
        }
    }

    /// What a plugin declares. It is loaded and asked; a script is stopped where it would first do something.
    public func manifest(of name: String) throws(HostError) -> PluginManifest {
        try Run.manifest(of: name, gate: directGate(RunRequest(), MemorySink()))
    }
}
