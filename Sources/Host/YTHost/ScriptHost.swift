// The host: holds the services, the plugin folders and the network, and performs runs. `Run` has the steps of a run.

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
    /// Folders that no grant opens, such as those of settings and keys. Plugin folders are always closed.
    public let forbiddenFolders: [String]
    package let log: (LogLevel, String) -> Void
    package let network: Network
    /// The picture decoder for terminals; nil when the embedding program sets none.
    public var decoder: PictureDecoder?

    /// - Parameters:
    ///   - services: the services to search; the first is the default.
    ///   - network: shared by the services and `yt.http.get`; one without a cache when nil. `finish` waits for it.
    ///   - log: called with messages for the user, including those of plugins.
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

    /// A copy of the host that uses these plugins and does not look for them on disk.
    package func having(_ plugins: [PluginFile]) -> ScriptHost {
        var locator = locator
        for plugin in plugins { locator.given[plugin.path] = plugin }
        return ScriptHost(
            services: services, locator: locator, forbiddenFolders: forbiddenFolders, network: network, log: log)
    }

    /// Waits up to `seconds` for background fetches that only fill the cache.
    public func finish(within seconds: Double = 10) { network.finish(within: seconds) }

    /// Performs a run in this process. Budgets apply, but a plugin that exploits a bug in Lua controls this process;
    /// `runIsolated` uses a child process.
    ///
    /// - Throws: the first error; nothing is committed to the sink then. `.readerGone` when the output's reader went
    ///   away, which is not a failure.
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

    /// All folders that no grant opens.
    public var closedFolders: [String] { forbiddenFolders + locator.folders.map(\.path) }

    /// - Parameter named: the only plugins that the gate hands out; nil for any.
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

    /// The declarations of a plugin, which is loaded for that. A script is stopped before its first action.
    public func manifest(of name: String) throws(HostError) -> PluginManifest {
        try Run.manifest(of: name, gate: directGate(RunRequest(), MemorySink()))
    }
}
