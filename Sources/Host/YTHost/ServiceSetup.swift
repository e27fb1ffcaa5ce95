// Network settings of the bundled services, from the command line and the environment.

import Basics
import HostErrors
import Store
import VideoServices
import WebClient

/// Network settings from a run's flags and the environment.
public struct ServiceSetup: Sendable {
    /// Reads an environment variable.
    public var variable: @Sendable (String) -> String? = { _ in nil }
    /// Whether a variable is set, without reading its value, which may be a key; nil to read it.
    public var hasVariable: (@Sendable (String) -> Bool)?
    /// Folders for keys, cached responses and call counts; nil to use none.
    public var configurationFolder: String?
    public var cacheFolder: String?
    public var stateFolder: String?
    /// The values of the flags.
    public var options = NetworkOptions()
    /// Receives warnings that accompany replies.
    public var warn: @Sendable (String) -> Void = { _ in }

    public init() {}

    /// Creates the network. Nothing is opened or sent yet.
    public func network() -> Network {
        var settings = Network.Settings()
        settings.variable = variable
        settings.configurationFolder = configurationFolder
        settings.cacheFolder = cacheFolder
        settings.stateFolder = stateFolder
        settings.needsCounts = true
        settings.hasVariable = hasVariable
        settings.profile = options.profile
        settings.policy = options.policy
        settings.isOffline = options.isOffline
        settings.isFresh = options.isFresh
        settings.userAgent = "ythost/\(Version.number) (gzip)"
        settings.warn = { [warn] in warn($0.text) }
        return Network(settings)
    }
}

extension ScriptHost {
    /// The services that come with ythost; the first is the default.
    public static func bundledServices(_ network: Network) -> [any VideoService] { BundledServices.all(network) }
}

/// The response cache.
public struct KeptAnswers {
    private let network: Network

    public init(_ network: Network) { self.network = network }

    /// Statistics: rows of a name and a value, with one row per cache space.
    public func info() throws(HostError) -> [[String]] {
        guard let cache = network.cache else { return [["entries", "0"]] }
        do throws(StoreError) {
            let info = try cache.info()
            var rows = [["entries", "\(info.entries)"], ["bytes", "\(info.size)"]]
            if let path = network.settings.cacheFolder { rows.append(["file", path + "/responses.sqlite"]) }
            if let oldest = info.oldest { rows.append(["oldest", Timestamp.format(oldest, as: .rfc3339)]) }
            for (name, sum) in info.spaces.sorted(by: { $0.key < $1.key }) {
                rows.append([name, "\(sum.entries) entries, \(sum.size) bytes"])
            }
            return rows
        } catch { throw .store(error) }
    }

    /// Deletes all entries and returns how many there were.
    public func clear() throws(HostError) -> Int {
        do throws(StoreError) { return try network.cache?.clear() ?? 0 } catch { throw .store(error) }
    }

    /// Deletes the entries that are too old to be used and returns how many there were.
    public func prune() throws(HostError) -> Int {
        do throws(StoreError) { return try network.cache?.prune() ?? 0 } catch { throw .store(error) }
    }
}
