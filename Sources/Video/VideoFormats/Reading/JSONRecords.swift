// Converts JSON values to records: detects the format of each value and counts skipped records.

import Basics
import JSON
import VideoModel

/// Collects records from parsed values.
package final class JSONRecords {
    /// The maximum number of skipped records stored with their reasons.
    static let skippedKept = 100

    let candidates: [RecordFormat]
    let strict: Bool
    /// The URL of the input. nil if unknown.
    var base: String?
    /// The format of the first record.
    package private(set) var format: RecordFormat?
    private(set) var skipped: [SkippedRecord] = []
    private(set) var skippedCount = 0
    private(set) var notes: [RecordNote] = []
    /// Records not yet taken by `take()`.
    private(set) var videos: [Video] = []
    /// The first records of a format that learns from them, until there are enough.
    private var held: [JSONRow] = []
    private var learner: (@Sendable ([JSONRow]) -> CompiledMapping)?
    /// The mapping that the format learned.
    private var learned: CompiledMapping?
    /// The number of records from which a format learns.
    private static let sample = 100
    /// The error for an input that matches none of the formats.
    package let unrecognised: FormatError

    init(candidates: [RecordFormat], considered: [String], strict: Bool) {
        self.candidates = candidates
        unrecognised = .unrecognised(considered: considered)
        self.strict = strict
    }

    func take() -> [Video] {
        defer { videos = [] }
        return videos
    }

    package func reserve(_ count: Int) { videos.reserveCapacity(videos.count + count) }

    func add(_ more: [Video]) { videos += more }

    func note(_ place: RecordPlace, _ text: String) {
        if notes.count < Self.skippedKept { notes.append(RecordNote(place: place, text: text)) }
    }

    /// Whether the reason of a skipped record would be used.
    package var wantsReasons: Bool { strict || skipped.count < Self.skippedKept }

    package func skip(_ place: RecordPlace, _ reason: String) throws(FormatError) {
        if strict { throw .badRecord(place, reason: reason) }
        omit(place, reason)
    }

    /// Skips a record that the input itself excludes, which is not an error.
    func omit(_ place: RecordPlace, _ reason: String) {
        skippedCount += 1
        if skipped.count < Self.skippedKept { skipped.append(SkippedRecord(place: place, reason: reason)) }
    }

    /// Reads a line or a document: a record, a service reply, or an array of either.
    package func read(_ value: JSONRow, at place: RecordPlace?) throws(FormatError) {
        if try readRecord(value, nil, at: place ?? .row(1)) { return }
        if try readReply(value, at: place) { return }
        if try readPlain(value, at: place ?? .row(1)) { return }
        if value.kind == .array {
            let rows = value.elements
            let isKnown =
                rows.isEmpty || rows.contains { row in candidates.contains { $0.knows(row) || $0.isPlain(row) } }
            if isKnown { return try readRows(rows, at: place) }
        }
        if format == nil { throw unrecognised }
        let names = candidates.map(\.name).joined(separator: ", ")
        try skip(place ?? .row(1), "no record of a format that is read here: " + names)
    }

    /// Reads only the records of a list. For a truncated document, whose other data is incomplete.
    package func readList(_ value: JSONRow) throws(FormatError) {
        if value.kind == .array {
            let rows = value.elements
            if rows.contains(where: { row in candidates.contains { $0.knows(row) || $0.isPlain(row) } }) {
                try readRows(rows, at: nil)
            }
        } else if candidates.allSatisfy({ $0.mapping(value) == nil }),
            candidates.contains(where: { $0.isDocument(value) })
        {
            _ = try readReply(value, at: nil)
        }
    }

    /// Reads the elements of an array. Elements of an array on one line have the line's position.
    private func readRows(_ rows: [JSONRow], at place: RecordPlace?) throws(FormatError) {
        for (index, row) in rows.enumerated() { try readElement(row, at: place ?? .row(index + 1)) }
    }

    /// Reads an element of an array.
    package func readElement(_ row: JSONRow, at place: RecordPlace) throws(FormatError) {
        if try readRecord(row, nil, at: place) { return }
        if try readReply(row, at: place) { return }
        if try readPlain(row, at: place) { return }
        try skipUnknown(place)
    }

    /// Reads a value that no format claims, but whose members are fields of a record.
    private func readPlain(_ row: JSONRow, at place: RecordPlace) throws(FormatError) -> Bool {
        guard let candidate = candidates.first(where: { $0.isPlain(row) }), let mapping = candidate.plain else {
            return false
        }
        format = format ?? candidate
        try append(row, mapping, at: place)
        return true
    }

    /// Reads a service reply, or throws the error that it stands for. Returns false if the value is not a reply.
    private func readReply(_ value: JSONRow, at place: RecordPlace?) throws(FormatError) -> Bool {
        for candidate in candidates where candidate.isDocument(value) {
            format = format ?? candidate
            let first = videos.count
            for (index, part) in candidate.parts(value, base).enumerated() {
                let place = place ?? .row(index + 1)
                if let text = part.note { note(place, text) }
                if try !readRecord(part.row, part.mapping, at: place) { try skipUnknown(place) }
            }
            for (field, inherited) in candidate.inherited(value) where !inherited.isNone {
                for index in first..<videos.count where !Self.isKnown(videos[index][field]) {
                    videos[index][field] = inherited
                }
            }
            return true
        }
        for candidate in candidates {
            guard let refusal = candidate.refusal(value) else { continue }
            // A record of a later version among others is skipped like any other unreadable record.
            if case .newerVersion = refusal, format != nil, let place {
                try skip(place, refusal.description)
                return true
            }
            throw refusal
        }
        // A bare error message, which may come from any service.
        if let message = value.text("error"), value.members.count == 1 {
            let service = candidates.count == 1 ? candidates[0].name : "the service"
            throw .refused(ServiceRefusal(service: service, message: PlainText.of(html: message)))
        }
        return false
    }

    /// Whether a field has a value. A channel may be present but empty.
    private static func isKnown(_ value: FieldValue) -> Bool {
        value.members.map { $0.contains { !$0.value.isNone } } ?? !value.isNone
    }

    private func skipUnknown(_ place: RecordPlace) throws(FormatError) {
        let names = (format.map { [$0.name] } ?? candidates.map(\.name)).joined(separator: " or ")
        try skip(place, "no \(names) record")
    }

    /// Reads a record with the given mapping, otherwise in the first record's format, otherwise in any format. Returns
    /// false if no format matches.
    private func readRecord(
        _ row: JSONRow, _ known: CompiledMapping?, at place: RecordPlace
    ) throws(FormatError) -> Bool {
        var mapping = known ?? format?.mapping(row)
        var source = format
        if mapping == nil {
            for candidate in candidates {
                guard let found = candidate.mapping(row) else { continue }
                format = format ?? candidate
                source = candidate
                mapping = found
                break
            }
        }
        guard let mapping else { return false }
        if known == nil, let learn = source?.learn {
            learner = learn
            if let learned { try append(row, learned, at: place) } else { try hold(row, mapping, at: place) }
        } else {
            try append(row, mapping, at: place)
        }
        return true
    }

    private func hold(_ row: JSONRow, _ mapping: CompiledMapping, at place: RecordPlace) throws(FormatError) {
        do { _ = try mapping.record(row, strict: strict) } catch { return try skip(place, error.description) }
        held.append(row)
        if held.count == Self.sample { settle() }
    }

    /// Reads the records that were held to learn from them.
    func settle() {
        guard !held.isEmpty, let mapping = learner?(held) else { return }
        learned = mapping
        let rows = held
        held = []
        for row in rows { videos.append(Video(backing: MappedRecord(row: row, mapping: mapping))) }
    }

    private func append(_ row: JSONRow, _ mapping: CompiledMapping, at place: RecordPlace) throws(FormatError) {
        // Records keep their order.
        settle()
        do {
            videos.append(Video(backing: try mapping.record(row, strict: strict)))
        } catch {
            try skip(place, error.description)
        }
    }
}

extension RecordFormat {
    /// Whether a value is a record of this format by its fields alone.
    fileprivate func isPlain(_ row: JSONRow) -> Bool { plain.map { $0.describes(row) } ?? false }

    fileprivate func knows(_ row: JSONRow) -> Bool {
        mapping(row) != nil || isDocument(row) || refusal(row) != nil
    }
}
