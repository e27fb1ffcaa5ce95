// Reads several sources concurrently and merges duplicate records. Trap: one failed source must not stop the others,
// and its failure must be reported.

import Basics
import Gate
import HostErrors
import VideoModel

/// Records of all sources in order. A duplicate is merged into the first record.
package final class MergedStream: RecordStream {
    /// One source, and its name in messages.
    package struct Part {
        package var name: String
        package var stream: any RecordStream
        /// Whether the stream reports its own failures.
        package var tellsItself = false

        package init(name: String, stream: any RecordStream, tellsItself: Bool = false) {
            self.name = name
            self.stream = stream
            self.tellsItself = tellsItself
        }
    }

    /// Maximum number of sources started ahead of their turn.
    private static let mostAhead = 64
    /// Maximum number of failures logged as warnings.
    private static let mostTold = 10

    private let parts: [Part]
    private unowned let gate: any Gate
    private let limit: Int?
    private var records: ArraySlice<Video>?
    private var given = 0
    private var failed = 0

    /// - Parameter limit: rows at most; nil for all.
    package init(_ parts: [Part], limit: Int?, gate: any Gate) {
        self.parts = parts
        self.limit = limit
        self.gate = gate
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        if records == nil { records = try read() }
        let batch = records?.popFirst(min(most, (limit ?? .max) - given))
        given += batch?.count ?? 0
        return batch
    }

    private func read() throws(HostError) -> ArraySlice<Video> {
        var all: [Video] = []
        var places: [String: Int] = [:]
        var first: HostError?
        var begun = 0
        for (index, part) in parts.enumerated() {
            while begun < parts.count, begun <= index + Self.mostAhead {
                // A failure here is reported when the stream is read.
                _ = try? parts[begun].stream.begin()
                begun += 1
            }
            let start = all.count
            do throws(HostError) {
                while let batch = try part.stream.nextBatch() {
                    part.stream.prefetch()
                    for video in batch {
                        let key = video.identity
                        // Entries of the same feed are never merged.
                        if let key, let place = places[key], place < start || !video.isNumberedAnyhow {
                            all[place] = all[place].merged(with: video)
                        } else {
                            if let key, places[key] == nil { places[key] = all.count }
                            all.append(video)
                        }
                    }
                }
            } catch {
                if error.isFinal { throw error }
                failed += 1
                if first == nil { first = error }
                if parts.count > 1, !part.tellsItself { tell(error, of: part.name) }
            }
        }
        if let first, failed == parts.count { throw first }
        if failed > 0 { log("\(failed) of \(parts.count) origins could not be read") }
        return all[...]
    }

    /// Logs a source's failure: the first ones as warnings, the rest at info level.
    private func tell(_ error: HostError, of name: String) {
        let text = error.description
        let line = text.mentions(name) ? "left out: \(text)" : "left out \(name): \(text)"
        _ = try? gate.ask(.log(failed <= Self.mostTold ? .warning : .info, line))
    }

    private func log(_ line: String) { _ = try? gate.ask(.log(.warning, line)) }

    package var info: [FieldValue.Member] {
        [
            .init("rows", .integer(Int64(given))), .init("origins", .integer(Int64(parts.count))),
            .init("failed", .integer(Int64(failed))), .init("truncated", .bool(records?.isEmpty == false)),
        ]
    }
}

extension Video {
    fileprivate var isNumberedAnyhow: Bool { provider == nil || provider == "feed" || provider == "web" }

    /// A key shared by duplicate records; nil if the record has neither an id nor a URL. Entry ids of feeds are
    /// arbitrary, so the URL is preferred for feeds.
    fileprivate var identity: String? {
        (isNumberedAnyhow ? url ?? id : id ?? url).map { "\(provider ?? "") \(kind.rawValue) \($0)" }
    }
}
