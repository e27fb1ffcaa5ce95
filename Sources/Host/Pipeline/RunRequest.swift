// What a run is to do, as one value: the command line makes it, and so can any program that embeds ythost.

import Basics
import Gate
import HostErrors
import Packages
import RecordStreams
import VideoServices

/// A run: plugins, where records come from, and where the result goes.
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
        /// What a template or a format plugin makes of the records.
        case formatted
        /// The page that plays the videos.
        case player
        /// The addresses of the videos, one a line, for a program that plays them.
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

    /// The plugin that was named first; nil for `search` and `parse`.
    public var plugin: String?
    /// What stands after its name, host flags taken out: words, and flags of its own.
    public var arguments: [String] = []
    public var stages: [Stage] = []
    /// A line a record, instead of a format plugin.
    public var template: String?
    /// Records are read from these instead of a search.
    public var inputs: [Input] = []
    /// Records are read from these instead of a search.
    public var origins: [Origin] = []
    /// The lines of those origins that stand on the command line, and in no list.
    package var typedOrigins: Set<String> = []
    /// What is written in place of what a format writes.
    public var product = Product.formatted
    /// The format of the inputs; nil to find out.
    public var inputFormat: String?
    /// Whether a record that cannot be read is an error.
    public var isStrict = false
    /// Whether the calls are only told that the run would make.
    public var isDry = false
    /// The source of searches; nil for the configured one.
    public var source: String?
    /// Search options that were asked for.
    public var search: [SearchOption: FieldValue] = [:]
    /// Rows read from the source at most.
    public var fetch: Int?
    /// Rows kept after ranking.
    public var take: Int?
    /// The format plugin when none of the plugins is one.
    public var defaultFormat = "jsonl"
    /// The suffix of the output's name, where no format is known for it and the default one is a guess.
    public var unknownSuffix: String?
    /// Whether no result is a failure.
    public var failsWhenEmpty = false
    /// Epoch seconds that stand for now; nil for the real clock.
    public var frozenTime: Int64?
    public var seed: UInt64 = 0
    public var budgets = Budgets()
    /// What plugins were given.
    public var grants = GrantBook()
    public var zone: ZoneRules?
    /// Columns that lines may have; nil for any.
    public var columns: Int?
    public var isTerminal = false
    public var allowsColor = false
    /// Whether the terminal makes links of text (OSC 8). Plugins cannot write such a link themselves: what they say it
    /// leads to is checked and marked by the host, and the terminal gets marked ones alone.
    public var allowsLinks: Bool {
        get { !linkMark.isEmpty }
        set { linkMark = newValue ? TerminalLink.newMark() : "" }
    }
    /// Marks the links that the host checked. No plugin knows it. Empty when links are not allowed.
    package var linkMark = ""

    public init() {}

    /// The plugins that the run loads first, in that order.
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
    /// The flags of this request that only a pipeline can honour, as they are written; nil when there are none.
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
