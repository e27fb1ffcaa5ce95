// Fills templates with Lua values: tables, records, strings. Trap: the stack. A Lua value stays on it while in use, and
// every exit must restore the stack.

import Basics
import HostErrors
import LuaRuntime
import VideoModel

/// One filling of one template.
struct TemplateWriter {
    /// Maximum depth of nested sections.
    private static let deepest = 100
    /// Maximum steps and bytes of one rendering. No Lua budget applies while it runs.
    private static let mostSteps = 5_000_000
    private static let mostBytes = 64 << 20

    /// The value of a name.
    private enum Found {
        case nothing
        /// A Lua value at that stack index; never nil.
        case lua(Int32)
        case video(Record)
        case value(FieldValue)
        /// A text field of the record, written without a copy.
        case text(VideoField)
    }

    /// A boxed record, since values are passed around often.
    private final class Record {
        let video: Video
        init(_ video: Video) { self.video = video }
    }

    private let template: MarkupTemplate
    private let stack: LuaStack
    private let context: PluginContext
    /// Where names are looked up: the record, then the tables.
    private let record: Record?
    private let tables: [Int32]
    /// The values of open sections, the innermost last. Searched first.
    private var scopes: [Found] = []
    private var stepsTaken = 0
    /// The attribute being filled: its rule, where it begins, and where the first value does.
    private var address: (rule: AddressRule, start: Int, firstValue: Int?)?

    /// - Parameters:
    ///   - values: the stack index of a record or a table; nil on the stack is allowed.
    ///   - more: the stack index of a table to search after `values`; nil on the stack is allowed.
    init(_ template: LuaTemplate, values: Int32, more: Int32, stack: LuaStack, context: PluginContext) {
        self.template = template.template
        self.stack = stack
        self.context = context
        record = context.video(at: values, of: stack).map(Record.init)
        tables = [values, more].filter { stack.kind(at: $0) == .table }
    }

    mutating func write(to bytes: inout [UInt8]) throws(LuaError) {
        try stack.reserve(Int32(template.innerNames.count) + 20)
        try write(0..<Int32(template.steps.count), to: &bytes)
    }

    private mutating func write(_ range: Range<Int32>, to bytes: inout [UInt8]) throws(LuaError) {
        var next = range.lowerBound
        while next < range.upperBound {
            stepsTaken += 1
            guard stepsTaken <= Self.mostSteps, bytes.count <= Self.mostBytes else {
                throw LuaError(
                    "a template that writes over \(Self.mostSteps) pieces or \(Self.mostBytes >> 20) MiB; fill it in parts"
                )
            }
            switch template.steps[Int(next)] {
            case .literal(let place):
                append(literal: place, to: &bytes)
                next += 1
            case .value(let value):
                next += 1
                let start = bytes.count
                defer { noteValue(value, from: start, to: bytes.count) }
                if let field = field(of: value) {
                    if try appendPlain(field, value, to: &bytes) { continue }
                }
                let top = stack.count
                switch try first(of: value) {
                case .nothing: break
                case let found: try append(found, value, to: &bytes)
                }
                stack.setTop(top)
            case .section(let value, let isInverted, let end):
                let top = stack.count
                switch (try first(of: value), isInverted) {
                case (.nothing, true): try write(next + 1..<end, to: &bytes)
                case (.nothing, false), (_, true): break
                case (let found, false): try writeSection(next + 1..<end, about: found, to: &bytes)
                }
                stack.setTop(top)
                next = end
            case .beginAddress(let rule, let prefix):
                address = (rule, bytes.count - Int(prefix), nil)
                next += 1
            case .endAddress:
                endAddress(in: &bytes)
                next += 1
            }
        }
    }

    private mutating func noteValue(_ value: Int32, from start: Int, to end: Int) {
        guard address != nil, address?.firstValue == nil, end > start else { return }
        if template.values[Int(value)].format != .raw { address?.firstValue = start }
    }

    /// Judges the whole value of an attribute. One that is not allowed is left empty.
    private mutating func endAddress(in bytes: inout [UInt8]) {
        guard let address else { return }
        self.address = nil
        guard let value = address.firstValue, value >= address.start else { return }
        if !address.rule.allows(bytes[address.start...], trusted: value - address.start) {
            bytes.removeLast(bytes.count - address.start)
        }
    }

    /// The record field that a value certainly refers to, because no scope searched earlier has that name.
    @inline(__always)
    private func field(of value: Int32) -> VideoField? {
        let value = template.values[Int(value)]
        guard scopes.isEmpty, value.format == nil,
            case .path(let name, let inner) = template.sources[Int(value.sources.lowerBound)], inner.isEmpty
        else { return nil }
        return template.names[Int(name)].field
    }

    /// Writes a text or a whole number directly from the record. Returns false if it needs more work.
    @inline(__always)
    private func appendPlain(_ field: VideoField, _ value: Int32, to bytes: inout [UInt8]) throws(LuaError) -> Bool {
        guard let record else { return false }
        if record.video.withText(of: field, { append($0, value, to: &bytes) }) { return true }
        switch record.video[field] {
        case .text(let text) where !text.isEmpty: append(text.utf8Span.span, value, to: &bytes)
        case .integer(let whole): bytes.append(contentsOf: "\(whole)".utf8)
        default: return false
        }
        return true
    }

    private func append(literal place: Range<Int32>, to bytes: inout [UInt8]) {
        template.text.withUnsafeBufferPointer {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[Int(place.lowerBound)..<Int(place.upperBound)]))
        }
    }

    /// Writes a section once for each element of a list, otherwise once.
    private mutating func writeSection(
        _ range: Range<Int32>, about found: Found, to bytes: inout [UInt8]
    ) throws(LuaError) {
        guard scopes.count < Self.deepest else { throw LuaError("a template with sections over \(Self.deepest) deep") }
        switch found {
        case .value(.list(let items)):
            for item in items { try write(range, in: .value(item), to: &bytes) }
        case .lua(let index) where stack.kind(at: index) == .table && stack.rawLength(at: index) > 0:
            for position in 1...Int64(stack.rawLength(at: index)) {
                try stack.reserve(4)
                stack.pushElement(position, of: index)
                let element = Self.found(at: stack.count, stack, context)
                if case .nothing = element {} else { try write(range, in: element, to: &bytes) }
                stack.pop()
            }
        default: try write(range, in: found, to: &bytes)
        }
    }

    private mutating func write(
        _ range: Range<Int32>, in scope: Found, to bytes: inout [UInt8]
    ) throws(LuaError) {
        scopes.append(scope)
        defer { scopes.removeLast() }
        try stack.reserve(20)
        try write(range, to: &bytes)
    }

    // MARK: - Looking up

    private static func found(at index: Int32, _ stack: LuaStack, _ context: PluginContext) -> Found {
        switch stack.kind(at: index) {
        case .none, .nil: return .nothing
        case .userdata:
            if let video = context.video(at: index, of: stack) { return .video(Record(video)) }
            if let channel = stack.payload(at: index, as: context.types.channel) { return .value(channel.value) }
            if let extra = stack.payload(at: index, as: context.types.extra) { return .value(.record(extra.members)) }
            return context.isNull(at: index, of: stack) ? .nothing : .lua(index)
        default: return .lua(index)
        }
    }

    /// The first of a value's sources that is present. The Lua values it needs stay on the stack.
    private func first(of value: Int32) throws(LuaError) -> Found {
        let value = template.values[Int(value)]
        for index in value.sources {
            let found: Found
            switch template.sources[Int(index)] {
            case .literal(let place):
                let text = template.text[Int(place.lowerBound)..<Int(place.upperBound)]
                found = .value(.text(String(decoding: text, as: UTF8.self)))
            case .itself: found = scopes.last ?? .nothing
            case .path(let name, let inner): found = try look(name, inner)
            }
            guard isThere(found) else { continue }
            // Treat an address that may not be a link as missing.
            if value.format == .link, link(found) == nil { continue }
            return found
        }
        return .nothing
    }

    private func isThere(_ found: Found) -> Bool {
        switch found {
        case .nothing: false
        case .video, .text: true
        case .value(let value):
            switch value {
            case .none, .bool(false): false
            case .text(let text): !text.isEmpty
            case .list(let items): !items.isEmpty
            case .record(let members): !members.isEmpty
            case .bool, .integer, .number: true
            }
        case .lua(let index):
            switch stack.kind(at: index) {
            case .none, .nil: false
            case .boolean: stack.isTrue(at: index)
            case .string: stack.rawLength(at: index) > 0
            // An empty table is an empty list.
            case .table: !stack.isEmptyTable(at: index)
            default: true
            }
        }
    }

    private func look(_ name: Int32, _ inner: Range<Int32>) throws(LuaError) -> Found {
        var found = Found.nothing
        for scope in scopes.reversed() where mayHaveMembers(scope) {
            found = member(name, of: scope)
            if case .nothing = found { continue }
            break
        }
        if case .nothing = found, let record {
            if let field = template.names[Int(name)].field, inner.isEmpty, record.video.withText(of: field, { _ in }) {
                return .text(field)
            }
            found = member(name, of: record.video)
        }
        if case .nothing = found {
            for table in tables {
                found = member(template.names[Int(name)].text, of: .lua(table))
                if case .nothing = found { continue }
                break
            }
        }
        if case .nothing = found {
            try checkSpelling(name)
            return .nothing
        }
        for index in inner { found = member(template.innerNames[Int(index)], of: found) }
        return found
    }

    private func mayHaveMembers(_ scope: Found) -> Bool {
        switch scope {
        case .video, .value(.record): true
        case .lua(let index): stack.kind(at: index) == .table
        case .nothing, .value, .text: false
        }
    }

    private func member(_ name: Int32, of video: Video) -> Found {
        guard let field = template.names[Int(name)].field else {
            return template.names[Int(name)].text == "extra" ? .value(.record(video.extra)) : .nothing
        }
        let value = field == .channel ? video.channel.value : video[field]
        return value.isNone ? .nothing : .value(value)
    }

    /// A member of a scope. Lua values are pushed.
    private func member(_ name: Int32, of scope: Found) -> Found {
        if case .video(let record) = scope { return member(name, of: record.video) }
        return member(template.names[Int(name)].text, of: scope)
    }

    private func member(_ name: String, of scope: Found) -> Found {
        switch scope {
        case .nothing, .text: return .nothing
        case .video(let record):
            let video = record.video
            let value = VideoField(name: name).map { $0 == .channel ? video.channel.value : video[$0] } ?? .none
            return value.isNone ? .nothing : .value(value)
        case .value(let value):
            let inner = value[name]
            return inner.isNone ? .nothing : .value(inner)
        case .lua(let index):
            guard stack.kind(at: index) == .table else { return .nothing }
            stack.pushField(name, of: index)
            let found = Self.found(at: stack.count, stack, context)
            if case .lua = found { return found }
            stack.pop()
            return found
        }
    }

    /// Throws if a name that only records can have is not a field.
    private func checkSpelling(_ name: Int32) throws(LuaError) {
        let name = template.names[Int(name)]
        guard name.field == nil, name.text != "extra", record != nil, tables.isEmpty else { return }
        for scope in scopes where mayHaveMembers(scope) {
            if case .video = scope { continue } else { return }
        }
        throw LuaError(
            "{{\(name.text)}} in the template: a video has no field '\(name.text)'; "
                + Nearest.advice(for: name.text, among: VideoType.fieldNames))
    }

    // MARK: - Writing

    private func append(_ found: Found, _ value: Int32, to bytes: inout [UInt8]) throws(LuaError) {
        let zone = context.environment.zone
        switch template.values[Int(value)].format {
        case nil: try append(plain: found, value, escaped: true, to: &bytes)
        case .raw: try append(plain: found, value, escaped: false, to: &bytes)
        case .rfc822: append(Timestamp.format(try whole(found, value), as: .rfc822, in: zone), to: &bytes)
        case .rfc3339: append(Timestamp.format(try whole(found, value), as: .rfc3339, in: zone), to: &bytes)
        case .date: append(Timestamp.format(try whole(found, value), as: .date, in: zone), to: &bytes)
        case .duration: append(VideoDuration.format(max(0, try whole(found, value))), to: &bytes)
        case .grouped: append(Text.grouped(try whole(found, value)), to: &bytes)
        case .link: append(link(found) ?? "", to: &bytes)
        case .url:
            guard let text = text(found) else { throw fault(value, "only a text can be encoded") }
            append(Escape.url(text), to: &bytes)
        }
    }

    private func append(
        plain found: Found, _ value: Int32, escaped: Bool, to bytes: inout [UInt8]
    ) throws(LuaError) {
        switch found {
        case .nothing: break
        case .text(let field):
            _ = record?.video.withText(of: field) { text in
                if escaped {
                    append(text, value, to: &bytes)
                } else {
                    text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
                }
            }
        case .value(.text(let text)):
            if escaped { append(text.utf8Span.span, value, to: &bytes) } else { bytes.append(contentsOf: text.utf8) }
        case .value(.integer(let whole)): bytes.append(contentsOf: "\(whole)".utf8)
        case .value(.bool): bytes.append(contentsOf: "true".utf8)
        case .value(.number(let number)):
            // Format the number as Lua does.
            stack.push(number)
            _ = stack.append(at: stack.count, to: &bytes)
            stack.pop()
        case .lua(let index):
            switch stack.kind(at: index) {
            case .string where escaped: _ = stack.withSpan(at: index) { append($0, value, to: &bytes) }
            case .string, .number: _ = stack.append(at: index, to: &bytes)
            case .boolean: bytes.append(contentsOf: "true".utf8)
            case let kind: throw fault(value, "a \(kind.name) is no text; a section writes what is in it")
            }
        case .video: throw fault(value, "a video is no text; name the field")
        case .value: throw fault(value, "it is a list or a table; a section writes what is in it")
        }
    }

    /// Writes host-generated text (dates, counts, addresses). Its escaping does not depend on the context.
    private func append(_ text: String, to bytes: inout [UInt8]) {
        switch template.syntax {
        case .html: Escape.appendHTML(text.utf8Span.span, to: &bytes)
        case .xml: Escape.appendXML(text.utf8Span.span, to: &bytes)
        case .text: bytes.append(contentsOf: text.utf8)
        }
    }

    private func append(_ text: Span<UInt8>, _ value: Int32, to bytes: inout [UInt8]) {
        switch template.syntax {
        case .html: Escape.appendHTML(text, to: &bytes)
        case .xml where template.values[Int(value)].isInAttribute: Escape.appendXML(text, to: &bytes)
        case .xml: Escape.appendXMLContent(text, to: &bytes)
        case .text: text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
    }

    private func link(_ found: Found) -> String? { text(found).flatMap(Escape.webAddress) }

    private func text(_ found: Found) -> String? {
        switch found {
        case .value(let value): value.text
        case .text(let field): record?.video[field].text
        case .lua(let index): stack.kind(at: index) == .string ? stack.text(at: index) : nil
        case .nothing, .video: nil
        }
    }

    private func whole(_ found: Found, _ value: Int32) throws(LuaError) -> Int64 {
        let whole: Int64? =
            switch found {
            case .value(let value): value.integer
            case .lua(let index): stack.kind(at: index) == .number ? stack.integer(at: index) : nil
            case .nothing, .video, .text: nil
            }
        guard let whole else { throw fault(value, "only a whole number can be written so") }
        return whole
    }

    private func fault(_ value: Int32, _ reason: String) -> LuaError {
        LuaError(
            "line \(template.values[Int(value)].line) of the template: {{\(template.spellings[Int(value)])}}: \(reason)"
        )
    }
}
