// Records from files or standard input. Trap: the user did not choose the files found in a folder, so an error in one
// must not end the run unless it is strict.

import Basics
import Gate
import HostErrors
import JSON
import VideoFormats
import VideoModel

/// Reads inputs one after another, each in any known format.
package final class InputStream: RecordStream {
    private let inputs: [RecordInput]
    private let lookUps: LookUps
    private let format: String?
    private let strict: Bool
    private let limit: Int?
    private let room: Int?
    private unowned let gate: any Gate
    private var index = 0
    private var reader: RecordReader?
    private var rows: ArraySlice<Video> = []
    private var given = 0
    /// The last block of the current input was read.
    private var ended = false
    /// Files in folders whose format is unknown.
    private var unknown: [String] = []
    private var isTold = false

    /// Maximum number of skipped files to name.
    private static let namesTold = 20

    /// - Parameter room: maximum bytes of a document or a line; nil if memory is not limited.
    package init(
        _ inputs: [RecordInput], lookUps: LookUps, format: String?, strict: Bool, limit: Int?, room: Int?,
        gate: any Gate
    ) {
        self.inputs = inputs
        self.lookUps = lookUps
        self.format = format
        self.strict = strict
        self.limit = limit
        self.room = room
        self.gate = gate
    }

    package func nextBatch(_ most: Int) throws(HostError) -> ArraySlice<Video>? {
        while limit.map({ given < $0 }) ?? true {
            if let batch = rows.popFirst(min(most, (limit ?? .max) - given)) {
                given += batch.count
                return batch
            }
            if try readMore() { continue }
            if !unknown.isEmpty, unknown.count == inputs.count { throw nothingKnown }
            break
        }
        tell()
        return nil
    }

    private var nothingKnown: HostError {
        .usage(
            "nothing that was found is of a format that is read here: \(names)",
            hint: "--as FORMAT names the format when it is one of these")
    }

    private var names: String {
        unknown.prefix(Self.namesTold).joined(separator: ", ") + (unknown.count > Self.namesTold ? " …" : "")
    }

    /// Reads the next block. Returns false at the end of all inputs.
    private func readMore() throws(HostError) -> Bool {
        guard index < inputs.count else { return false }
        do throws(HostError) {
            try readBlock()
        } catch {
            guard inputs[index].isFound else { throw error }
            switch error {
            case .format(_, .unrecognised): unknown.append(inputs[index].name)
            case .format(_, .malformed(let fault)) where fault.reason == .noMemory: throw error
            case .format where !strict, .cannotRead where !strict: log("left out " + error.description)
            case .reported(let report) where report.kind == "file" && !strict: log("left out " + report.message)
            default: throw error
            }
            close()
        }
        return true
    }

    private func readBlock() throws(HostError) {
        let name = inputs[index].name
        do throws(FormatError) {
            if let reader, reader.hasMore {
                rows = lookUps.marked(try reader.more())[...]
                return
            }
        } catch {
            throw .format(input: name, error)
        }
        var block: [UInt8] = []
        if !ended {
            guard case .block(let next) = try gate.ask(.read(input: index)) else { return }
            block = next
            ended = block.isEmpty
        }
        do throws(FormatError) {
            let reader: RecordReader
            if let known = self.reader { reader = known } else { reader = try open() }
            self.reader = reader
            rows = lookUps.marked(try ended ? reader.finish() : reader.feed(block))[...]
            if ended, rows.isEmpty { close() }
        } catch {
            throw .format(input: name, error)
        }
    }

    private func open() throws(FormatError) -> RecordReader {
        let reader = try RecordReader(as: format, strict: strict)
        if let room { reader.room = room }
        return reader
    }

    /// Reports the records skipped in an input, and moves to the next.
    private func close() {
        let name = inputs[index].name
        index += 1
        ended = false
        guard let reader else { return }
        self.reader = nil
        guard reader.skippedCount > 0 else { return }
        let told = reader.skipped.prefix(3)
        for record in told { log("\(name): left out \(record)") }
        let rest = reader.skippedCount - told.count
        if rest > 0 { log("\(name): left out \(rest) more records") }
    }

    /// Reports once which files have an unknown format.
    private func tell() {
        guard !isTold, !unknown.isEmpty else { return }
        isTold = true
        let files = unknown.count == 1 ? "1 file" : "\(unknown.count) files"
        log("left out \(files) of no format that is read here: \(names)")
    }

    private func log(_ line: String) { _ = try? gate.ask(.log(.warning, line)) }

    package var info: [FieldValue.Member] { [.init("rows", .integer(Int64(given)))] }
}
