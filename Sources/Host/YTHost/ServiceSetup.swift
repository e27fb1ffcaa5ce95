// How the bundled services reach the network, as a command line and an environment say it.

import Basics
import HostErrors
import Store
import VideoServices
import WebClient

/// What a run's flags and the environment say of the network.
public struct ServiceSetup: Sendable {
    /// Environment variables.
    public var variable: @Sendable (String) -> String? = { _ in nil }
    /// Whether such a variable says something, told without reading the value, which may be a key; nil to read it.
    public var hasVariable: (@Sendable (String) -> Bool)?
    /// Folders for keys, kept answers and counts of calls; nil to have none.
    public var configurationFolder: String?
    public var cacheFolder: String?
    public var stateFolder: String?
    /// What the flags say.
    public var options = NetworkOptions()
    /// Gets what went wrong beside the answers.
    public var warn: @Sendable (String) -> Void = { _ in }

    public init() {}

    /// The network so set up. Nothing is opened or sent yet.
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
    /// The services that come with ythost; the first is the one that is searched when nothing is chosen.
    public static func bundledServices(_ network: Network) -> [any VideoService] { BundledServices.all(network) }
}

/// The answers that are kept.
public struct KeptAnswers {
    private let network: Network

    public init(_ network: Network) { self.network = network }

    /// What there is, a row a space.
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

    /// Deletes all of them. How many there were.
    public func clear() throws(HostError) -> Int {
        do throws(StoreError) { return try network.cache?.clear() ?? 0 } catch { throw .store(error) }
    }

    /// Deletes those that are too old to be given. How many there were.
    public func prune() throws(HostError) -> Int {
        do throws(StoreError) { return try network.cache?.prune() ?? 0 } catch { throw .store(error) }
    }
}
