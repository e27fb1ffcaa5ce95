// Parsed JSON in memory owned by the simdjson shim. Only this file handles pointers into it, and only while the batch
// is retained. Callers get values and `JSONRow`s, which retain the batch.

import Basics
import CField
import CSimdjson

/// Documents that were parsed together.
///
/// `@unchecked Sendable`: the parser writes the memory only before `init`; after that all access is read-only (the
/// shim's functions take it as `const`). `deinit`, when no reference is left, returns the memory to a pool that has a
/// lock.
public final class JSONBatch: @unchecked Sendable {
    private let batch: OpaquePointer
    /// Approximate memory per document, in bytes.
    package let share: Int

    fileprivate init(owning batch: OpaquePointer) {
        self.batch = batch
        share = sj_batch_size(batch) / max(1, sj_batch_documents(batch))
    }

    deinit { sj_batch_release(batch) }

    /// Parses exactly one value.
    public static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONBatch {
        try JSONParser().document(bytes[...])
    }

    /// Number of documents.
    public var count: Int { sj_batch_documents(batch) }

    /// The root value of a document.
    public subscript(document: Int) -> JSONRow {
        precondition(document >= 0 && document < count, "no such document")
        return JSONRow(batch: self, document: UInt32(document), index: UInt32(SJ_ROOT))
    }

    /// Number of parsed lines, including blank and invalid ones.
    package var lines: Int { sj_batch_lines(batch) }

    /// The line of a document, from 0.
    package func line(of document: Int) -> Int { Int(sj_batch_line(batch, document)) }

    /// Lines that are not a JSON value.
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
        /// Byte range in the parsed input.
        package let bytes: Range<Int>
        /// simdjson's error message.
        package let reason: String
    }

    /// Access for readers of scalars, valid as long as this batch.
    package var fields: cfield_source { sj_fields(batch) }

    func read(_ document: UInt32, _ index: UInt32) -> JSONValue {
        withExtendedLifetime(self) { JSONValue(sj_at(batch, Int(document), index)) }
    }

    func read(_ document: UInt32, _ index: UInt32, at path: JSONPath) -> JSONValue {
        withExtendedLifetime(self) { JSONValue(find(document, index, path)) }
    }

    /// Passes the text at a path to the body. Returns false when there is none or it is empty.
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

    /// The type of the value at a path, without decoding it.
    func kind(_ document: UInt32, _ index: UInt32, at path: JSONPath) -> JSONValue.Kind {
        JSONValue.Kind(find(document, index, path).kind)
    }

    /// The index of the value at a path; nil when there is none.
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

    /// Indices of an array's elements, or of an object's values with their names; empty for scalars. When a name occurs
    /// more than once, the last value takes the position of the first.
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

    /// Whether any object in the document has duplicate names, which parsers resolve differently.
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
        // Compare bytes, because Swift strings are equal when they are canonically equivalent.
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

    /// The value at an index as plain data. simdjson has already limited the depth.
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

/// Parses text into batches, reusing scratch space and spare batches. Not thread-safe.
package final class JSONParser {
    private let parser = sj_parser_create()

    package init() {}

    deinit { sj_parser_free(parser) }

    /// Parses one value per line; `head` precedes `tail`.
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

    /// Parses one value. Input that simdjson rejects is repaired if possible and parsed again.
    package func document(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch {
        let batch = try attempt(bytes)
        guard let bad = batch.badLines.first else { return batch }
        if let mended = try mended(bytes) { return mended }
        throw JSONScanner.error(in: bytes, otherwise: bad.reason)
    }

    /// Repairs and parses input that simdjson rejected; nil when it cannot be repaired. Without the scan, a repair could
    /// hide another error: a number with two exponents would become text.
    package func mended(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONBatch? {
        guard JSONScanner.scan(bytes) == .complete, let mended = JSONRepair.repaired(bytes) else { return nil }
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
