// Parsed JSON in memory that simdjson's shim owns. Pointers into it live in this file only, and only while a method
// that holds the batch runs; what leaves is values and `JSONRow`s, which keep their batch alive.

import Basics
import CSimdjson

/// Documents that were parsed together.
///
/// `@unchecked Sendable`: the memory behind the pointer is written only before `init` by the parser that made it; from
/// then on every access is a read (the shim's functions take it `const`). It is given back, to be written again, in
/// `deinit`, when no reference is left; the pool it goes to has a lock.
public final class JSONBatch: @unchecked Sendable {
    private let batch: OpaquePointer
    /// Bytes of memory that a document takes, about.
    package let share: Int

    fileprivate init(owning batch: OpaquePointer) {
        self.batch = batch
        share = sj_batch_size(batch) / max(1, sj_batch_documents(batch))
    }

    deinit { sj_batch_release(batch) }

    /// One value and nothing after it.
    public static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONBatch {
        try JSONParser().document(bytes[...])
    }

    /// How many documents there are.
    public var count: Int { sj_batch_documents(batch) }

    /// A whole document.
    public subscript(document: Int) -> JSONRow {
        precondition(document >= 0 && document < count, "no such document")
        return JSONRow(batch: self, document: UInt32(document), index: UInt32(SJ_ROOT))
    }

    /// How many lines were parsed, blank and bad ones included.
    package var lines: Int { sj_batch_lines(batch) }

    /// The line a document stood on, from 0.
    package func line(of document: Int) -> Int { Int(sj_batch_line(batch, document)) }

    /// Lines that are no JSON value.
    package var badLines: [BadLine] {
        (0..<sj_batch_bad_lines(batch)).map { index in
            let bad = sj_batch_bad_line(batch, index)
            return BadLine(
                line: Int(bad.line), bytes: bad.offset..<bad.offset + bad.length,
                reason: String(cString: sj_reason(bad.code)))
        }
    }

    package struct BadLine {
        /// From 0.
        package let line: Int
        /// Where it stood in the bytes that were parsed.
        package let bytes: Range<Int>
        /// In simdjson's words.
        package let reason: String
    }

    func read(_ document: UInt32, _ index: UInt32) -> JSONValue {
        withExtendedLifetime(self) { JSONValue(sj_at(batch, Int(document), index)) }
    }

    func read(_ document: UInt32, _ index: UInt32, at path: JSONPath) -> JSONValue {
        withExtendedLifetime(self) { JSONValue(find(document, index, path)) }
    }

    /// Lets a body look at the text at a path; false when there is none or it is empty.
    package func withText(_ document: UInt32, _ index: UInt32, at path: JSONPath, _ body: (Span<UInt8>) -> Void) -> Bool
    {
        withExtendedLifetime(self) {
            let found = find(document, index, path)
            guard found.kind == SJ_TEXT, found.length > 0, let text = found.text else { return false }
            let bytes = UnsafeRawBufferPointer(start: text, count: found.length)
            body(bytes.assumingMemoryBound(to: UInt8.self).span)
            return true
        }
    }

    /// What stands at a path, without decoding it.
    func kind(_ document: UInt32, _ index: UInt32, at path: JSONPath) -> JSONValue.Kind {
        JSONValue.Kind(find(document, index, path).kind)
    }

    /// The index of what stands at a path.
    func place(_ document: UInt32, _ index: UInt32, at path: JSONPath) -> UInt32? {
        let found = find(document, index, path)
        return found.kind == SJ_NOTHING ? nil : found.index
    }

    private func find(_ document: UInt32, _ index: UInt32, _ path: JSONPath) -> sj_value {
        if path.problem != nil { return sj_value() }
        return path.program.withUnsafeBufferPointer { program in
            sj_find(batch, Int(document), index, program.baseAddress, program.count)
        }
    }

    /// Indices of an array's elements, or of an object's values with their names before them; nothing for scalars. Of
    /// names that occur more than once, the last value stands in the first one's place.
    package func children(_ document: UInt32, _ index: UInt32) -> [(name: String?, index: UInt32)] {
        withExtendedLifetime(self) {
            let parent = sj_at(batch, Int(document), index)
            guard parent.kind == SJ_ARRAY || parent.kind == SJ_OBJECT else { return [] }
            var children: [(name: String?, index: UInt32)] = []
            children.reserveCapacity(Int(parent.count))
            var at = parent.index + 1
            while at < parent.next - 1 {
                var child = sj_at(batch, Int(document), at)
                var name: String?
                if parent.kind == SJ_OBJECT {
                    name = Self.text(child)
                    child = sj_at(batch, Int(document), child.next)
                }
                children.append((name, child.index))
                at = child.next
            }
            if parent.kind == SJ_OBJECT, sj_has_twins(batch, Int(document), index) != 0 {
                children = Self.withoutTwins(children)
            }
            return children
        }
    }

    /// Whether an object in a document has a name more than once, of which every reader may take another value.
    package func hasTwins(_ document: Int = 0) -> Bool {
        withExtendedLifetime(self) {
            var rest = [UInt32(SJ_ROOT)]
            while let index = rest.popLast() {
                if sj_at(batch, document, index).kind == SJ_OBJECT, sj_has_twins(batch, document, index) != 0 {
                    return true
                }
                rest += children(UInt32(document), index).map(\.index)
            }
            return false
        }
    }

    private static func withoutTwins(
        _ members: [(name: String?, index: UInt32)]
    ) -> [(name: String?, index: UInt32)] {
        // By bytes: Swift holds strings equal that only look the same.
        var places: [[UInt8]: Int] = [:]
        var kept: [(name: String?, index: UInt32)] = []
        for member in members {
            let key = Array((member.name ?? "").utf8)
            if let place = places[key] {
                kept[place].index = member.index
            } else {
                places[key] = kept.count
                kept.append(member)
            }
        }
        return kept
    }

    /// Everything at an index, as plain data. simdjson has bounded the depth.
    package func fieldValue(_ document: UInt32, _ index: UInt32) -> FieldValue {
        switch read(document, index) {
        case .array(let index):
            .list(children(document, index).map { fieldValue(document, $0.index) })
        case .object(let index):
            .record(children(document, index).map { .init($0.name ?? "", fieldValue(document, $0.index)) })
        case let scalar: scalar.fieldValue
        }
    }

    fileprivate static func text(_ value: sj_value) -> String {
        String(decoding: UnsafeRawBufferPointer(start: value.text, count: value.length), as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate init(_ value: sj_value) {
        switch Kind(value.kind) {
        case .nothing: self = .nothing
        case .null: self = .null
        case .bool: self = .bool(value.kind == SJ_TRUE)
        case .number:
            switch value.kind {
            case SJ_INTEGER: self = .integer(value.integer)
            case SJ_NATURAL: self = .natural(value.natural)
            default: self = .number(value.number)
            }
        case .text: self = .text(JSONBatch.text(value))
        case .array: self = .array(index: value.index)
        case .object: self = .object(index: value.index)
        }
    }
}

extension JSONValue.Kind {
    fileprivate init(_ kind: sj_kind) {
        switch kind {
        case SJ_NULL: self = .null
        case SJ_FALSE, SJ_TRUE: self = .bool
        case SJ_INTEGER, SJ_NATURAL, SJ_NUMBER: self = .number
        case SJ_TEXT: self = .text
        case SJ_ARRAY: self = .array
        case SJ_OBJECT: self = .object
        default: self = .nothing
        }
    }
}

/// Fills batches; keeps scratch space and spare batches between calls. Not for two threads at once.
package final class JSONParser {
    private let parser = sj_parser_create()

    package init() {}

    deinit { sj_parser_free(parser) }

    /// One value a line; `head` goes before `tail`.
    package func lines(_ head: [UInt8], _ tail: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch {
        var batch: OpaquePointer?
        if let parser {
            head.withUnsafeBufferPointer { head in
                tail.withUnsafeBufferPointer { tail in
                    _ = sj_parse_lines(parser, head.baseAddress, head.count, tail.baseAddress, tail.count, &batch)
                }
            }
        }
        return try owned(batch)
    }

    /// One value. What simdjson refuses is mended where it can be, and parsed again.
    package func document(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch {
        let batch = try attempt(bytes)
        guard let bad = batch.badLines.first else { return batch }
        if let mended = try mended(bytes) { return mended }
        throw JSONScanner.error(in: bytes, otherwise: bad.reason)
    }

    /// A value that simdjson has refused; nil when it cannot be mended.
    package func mended(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch? {
        guard let mended = JSONRepair.repaired(bytes) else { return nil }
        let batch = try attempt(mended[...])
        return batch.badLines.isEmpty ? batch : nil
    }

    private func attempt(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch {
        var batch: OpaquePointer?
        if let parser {
            bytes.withUnsafeBufferPointer { bytes in
                _ = sj_parse_document(parser, bytes.baseAddress, bytes.count, &batch)
            }
        }
        return try owned(batch)
    }

    private func owned(_ batch: OpaquePointer?) throws(JSONError) -> JSONBatch {
        guard let batch else {
            let reason: JSONError.Reason =
                sj_is_there() != 0
                ? .noMemory
                : .noParser(file: String(cString: sj_file()), package: String(cString: sj_package()))
            throw JSONError(offset: 0, line: 1, column: 1, reason: reason)
        }
        return JSONBatch(owning: batch)
    }
}
