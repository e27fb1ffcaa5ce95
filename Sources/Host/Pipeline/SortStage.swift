// Sorting by keys: scores of plugins and expressions of `--by`. Where only the first records are wanted, only those stay
// in memory.

import Basics
import HostErrors
import LuaAPI
import LuaRuntime
import RecordStreams
import VideoModel

/// What a record is sorted by. The unknown is last in either direction.
enum SortKey {
    case number(Double)
    /// Folded text.
    case text(String)
    case unknown

    var isKnown: Bool { if case .unknown = self { false } else { true } }

    /// Whether this comes before the other: numbers from high to low, text from A to Z, unless reversed. nil where
    /// neither comes first.
    func precedes(_ other: SortKey, isReversed: Bool) -> Bool? {
        switch (self, other) {
        case (.number(let a), .number(let b)): a == b ? nil : (a > b) != isReversed
        case (.text(let a), .text(let b)): a == b ? nil : (a < b) != isReversed
        case (.unknown, .unknown): nil
        case (.unknown, _): false
        case (_, .unknown): true
        // One key gives one kind, which `SortOrder` checks.
        case (.number, .text), (.text, .number): nil
        }
    }
}

/// Gives the keys of records, in a fixed number.
protocol SortOrder: AnyObject {
    /// Which keys are reversed.
    var reversed: [Bool] { get }
    /// The records, perhaps changed, with their keys.
    func keyed(_ videos: [Video]) throws(HostError) -> [(keys: [SortKey], video: Video)]
}

/// Sorts records. Equal ones retain their order. The order is computed at the first read.
final class SortStage: RecordStream {
    private typealias Row = (keys: [SortKey], video: Video)
    private let upstream: any RecordStream
    private let order: any SortOrder
    private let most: Int?
    private let onUnknown: (Int) -> Void
    private var sorted: ListStream?

    /// - Parameters:
    ///   - most: the number of records that will be read; nil for all.
    ///   - onUnknown: called with the number of records when not one has a key.
    init(_ upstream: any RecordStream, by order: any SortOrder, most: Int?, onUnknown: @escaping (Int) -> Void) {
        self.upstream = upstream
        self.order = order
        self.most = most
        self.onUnknown = onUnknown
    }

    /// Number of records that get their keys together.
    private static let keyedTogether = 1000

    func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if let sorted { return sorted.nextBatch(most) }
        var rows: [Row] = []
        // The last of the best ones so far.
        var last: [SortKey]?
        var (count, isKnown) = (0, false)
        while let batch = try upstream.nextBatch(Self.keyedTogether) {
            upstream.prefetch()
            var new = try order.keyed(Array(batch))
            count += new.count
            isKnown = isKnown || new.contains { $0.keys.contains(where: \.isKnown) }
            guard let limit = self.most else {
                rows += new
                continue
            }
            if let last { new.removeAll { !precedes($0.keys, last) } }
            if new.count > limit { new = Array(best(new).prefix(limit)) }
            // What stays must not keep the block in memory that it was parsed with.
            rows += new.map { ($0.keys, $0.video.detached) }
            guard rows.count >= max(2 * limit, 1) else { continue }
            rows = Array(best(rows).prefix(limit))
            last = rows.last?.keys
        }
        if count > 0, !isKnown { onUnknown(count) }
        let sorted = ListStream(best(rows).prefix(self.most ?? .max).map(\.video))
        self.sorted = sorted
        return sorted.nextBatch(most)
    }

    private func best(_ rows: [Row]) -> [Row] { stableSort(rows) { precedes($0.keys, $1.keys) } }

    private func precedes(_ a: [SortKey], _ b: [SortKey]) -> Bool {
        for (index, isReversed) in order.reversed.enumerated() {
            if let isFirst = a[index].precedes(b[index], isReversed: isReversed) { return isFirst }
        }
        return false
    }

    var info: [FieldValue.Member] { upstream.info }
}

/// Sorts by a plugin's score: higher first.
final class ScoreOrder: SortOrder {
    private let plugin: Plugin
    private let function: LuaReference
    let reversed = [false]

    init(_ plugin: Plugin, _ function: LuaReference) {
        self.plugin = plugin
        self.function = function
    }

    func keyed(_ videos: [Video]) throws(HostError) -> [(keys: [SortKey], video: Video)] {
        let judged = JudgedRows(videos, .score, in: plugin.context, as: plugin.context.types.video)
        if let failure = judged.accepted(by: plugin, .score, function).1 { throw failure }
        return videos.indices.map { row in
            var video = judged.finished(row)
            guard judged.isAccepted(row) else { return ([.unknown], video) }
            let score = judged.scores[row]
            video[.score] = Int64(exactly: score).map(FieldValue.integer) ?? .number(score)
            return ([.number(score)], video)
        }
    }
}

/// Sorts by the expressions of one `--by`.
final class ExpressionOrder: SortOrder {
    private let expressions: [Expression]
    let reversed: [Bool]
    /// Whether a key is text, as far as it is known.
    private var isText: [Bool?]

    /// - Parameter keys: expressions of one Lua state.
    init(_ keys: [(expression: Expression, isReversed: Bool)]) {
        expressions = keys.map(\.expression)
        reversed = keys.map(\.isReversed)
        isText = keys.map { _ in nil }
    }

    var fields: VideoFieldSet { expressions.reduce(into: []) { $0.formUnion($1.fields) } }

    func keyed(_ videos: [Video]) throws(HostError) -> [(keys: [SortKey], video: Video)] {
        guard let first = expressions.first else { return videos.map { ([], $0) } }
        let rows = first.rows(videos)
        var keyed: [(keys: [SortKey], video: Video)] = []
        keyed.reserveCapacity(videos.count)
        for row in videos.indices {
            var keys: [SortKey] = []
            for index in expressions.indices { keys.append(try key(index, of: row, rows)) }
            keyed.append((keys, rows.finished(row)))
        }
        return keyed
    }

    private func key(_ index: Int, of row: Int, _ rows: JudgedRows) throws(HostError) -> SortKey {
        guard case .value(let value) = try expressions[index].evaluate(row, of: rows) else { return .unknown }
        let key: SortKey
        if let number = value.number, !number.isNaN {
            key = .number(number)
        } else if let text = value.text {
            key = .text(Text.fold(text))
        } else {
            return .unknown
        }
        let kind = if case .text = key { true } else { false }
        if let known = isText[index], known != kind {
            throw .usage("\(expressions[index].flag): the expression is a number for some videos and text for others")
        }
        isText[index] = kind
        return key
    }
}
