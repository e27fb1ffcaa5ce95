// A run as one value. The command line makes it, and so can any program that embeds ythost.

import Basics
import Gate
import HostErrors
import Packages
import RecordStreams
import VideoServices

/// A run: its plugins, the source of its records, and the destination of its result.
public struct RunRequest: Sendable {
    /// A step of the pipeline between source and output.
    public enum Stage: Sendable {
        /// A plugin by name or path, with `name=value` settings.
        case plugin(String, settings: [(name: String, value: String)])
        /// Keep records for which a Lua expression over the fields is true.
        case keep(expression: String)
        /// Sort by a Lua expression: numbers high to low, text A to Z, unknown last.
        case order(expression: String)

        var pluginName: String? { if case .plugin(let name, _) = self { name } else { nil } }
    }

    public typealias Input = RecordInput
    public typealias Origin = FeedSource

    /// What a run writes.
    public enum Product: String, Sendable {
        /// The output of a template or a format plugin.
        case formatted
        /// The page that plays the videos.
        case player
        /// The addresses of the videos, one a line, for a player.
        case addresses
        /// The lines that name the records in a list of origins.
        case origins
        /// The records and their pictures, a line each.
        case pictures

        package var isPlayed: Bool {
            switch self {
            case .player, .addresses: true
            case .formatted, .origins, .pictures: false
            }
        }
    }

    /// The first plugin named; nil for `search` and `parse`.
    public var plugin: String?
    /// The arguments after its name without host flags: words, and the plugin's own flags.
    public var arguments: [String] = []
    public var stages: [Stage] = []
    /// Writes one line a record, instead of a format plugin.
    public var template: String?
    /// Records are read from these instead of a search.
    public var inputs: [Input] = []
    /// Records are read from these origins instead of a search.
    public var origins: [Origin] = []
    /// The origins given on the command line, as lines; those from list files are not included.
    package var typedOrigins: Set<String> = []
    /// What the run writes; `.formatted` unless the command has an output of its own.
    public var product = Product.formatted
    /// The format of the inputs; nil to detect it.
    public var inputFormat: String?
    /// Whether an unreadable record is an error.
    public var isStrict = false
    /// Whether records that were only read are looked up when a field that they lack is needed.
    public var looksUp = false
    /// Dry run: lists the calls the run would make, and sends none.
    public var isDry = false
    /// The source of searches; nil for the configured one.
    public var source: String?
    /// Search options given by the caller.
    public var search: [SearchOption: FieldValue] = [:]
    /// Maximum rows to read from the source.
    public var fetch: Int?
    /// Maximum rows after ranking.
    public var take: Int?
    /// The format plugin to use when the run names none.
    public var defaultFormat = "jsonl"
    /// The output file's suffix if no format is known for it, so that the default format is a guess.
    public var unknownSuffix: String?
    /// Whether an empty result is a failure.
    public var failsWhenEmpty = false
    /// Epoch seconds that replace the current time; nil for the real clock.
    public var frozenTime: Int64?
    public var seed: UInt64 = 0
    public var budgets = Budgets()
    /// What the user granted to plugins.
    public var grants = GrantBook()
    public var zone: ZoneRules?
    /// Maximum columns of a line; nil for no limit.
    public var columns: Int?
    public var isTerminal = false
    public var allowsColor = false
    /// Whether the terminal supports hyperlinks (OSC 8). Plugins cannot write them directly. The host checks and marks
    /// the target of each link, and the terminal gets only marked links.
    public var allowsLinks: Bool {
        get { !linkMark.isEmpty }
        set { linkMark = newValue ? TerminalLink.newMark() : "" }
    }
    /// The secret mark of links that the host checked. Empty when links are not allowed.
    package var linkMark = ""

    public init() {}

    /// The plugins that the run loads first, in load order.
    package var pluginsInOrder: [String] { ([plugin] + stages.map(\.pluginName)).compactMap(\.self) }

    /// Every plugin that the run may load.
    package var pluginNames: Set<String> {
        var names: Set = [defaultFormat]
        if let plugin { names.insert(plugin) }
        for case .plugin(let name, _) in stages { names.insert(name) }
        return names
    }
}

extension RunRequest {
    /// The flags of this request that only a pipeline supports, as written; nil if there are none.
    package var flagsNotForScripts: String? {
        var flags = search.keys.map { "--" + $0.rawValue }.sorted()
        if take != nil { flags.append("--take") }
        return flags.isEmpty ? nil : flags.joined(separator: ", ")
    }
}

/// How a run went.
public struct RunReport: Sendable {
    /// Records that reached the output.
    public var written = 0
    /// Whether the plugin was a script, which does not count records.
    public var isScript = false

    package init(written: Int = 0, isScript: Bool = false) {
        self.written = written
        self.isScript = isScript
    }
}
