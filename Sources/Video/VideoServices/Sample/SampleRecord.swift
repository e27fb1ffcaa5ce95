// Records backed by lines of the sample library: a first run needs no JSON parser. What is easily got wrong: any page in
// ythost's own format may be tried, so a line that JSON would read otherwise must not be taken for one of these.

import Basics
import VideoModel

/// Lines of one page, all of them of the library's form.
final class SampleLines: Sendable {
    let bytes: [UInt8]
    let rows: [SampleRow]
    /// Bytes of a line, about.
    private static let usualLine = 256

    /// Nil when some line is of another form.
    init?(_ bytes: [UInt8]) {
        var rows: [SampleRow] = []
        rows.reserveCapacity(bytes.count / Self.usualLine + 1)
        var scanner = SampleScanner()
        var end = 0
        while let row = scanner.next(bytes.span) {
            guard row.line.lowerBound == end else { return nil }
            end = min(row.line.upperBound + 1, bytes.count)
            rows.append(row)
        }
        guard end == bytes.count, Self.isText(bytes) else { return nil }
        self.bytes = bytes
        self.rows = rows
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }

    func text(_ range: Range<Int>) -> String {
        let bytes = bytes
        return bytes.span.text(range)
    }

    var records: [Video] { rows.indices.map { Video(backing: SampleRecord(lines: self, index: $0)) } }
}

/// One of the lines.
private struct SampleRecord: VideoBacking {
    let lines: SampleLines
    let index: Int

    var extra: [FieldValue.Member] { [] }

    func value(of field: VideoField) -> FieldValue {
        let row = lines.rows[index]
        switch field {
        case .provider: return .text("youtube")
        case .kind: return .text("video")
        case .id: return text(row.id)
        case .title: return text(row.title)
        case .channel:
            let members = [("id", row.channelID), ("title", row.channelTitle)].map {
                FieldValue.Member($0, $1.map(text) ?? .none)
            }
            let known = members.filter { !$0.value.isNone }
            return known.isEmpty ? .none : .record(known)
        case .published: return FieldValue(row.time.flatMap { Timestamp.parse(lines.text($0)) })
        case .duration: return FieldValue(row.duration)
        case .tags: return row.tags.map { .list(texts($0)) } ?? .none
        case .language: return row.language.map(text) ?? .none
        default: return .none
        }
    }

    func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool {
        let range: Range<Int>?
        switch field {
        case .id: range = lines.rows[index].id
        case .title: range = lines.rows[index].title
        case .language: range = lines.rows[index].language
        default: return false
        }
        guard let range, !range.isEmpty else { return false }
        return lines.bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[range])
            if text.contains(UInt8(ascii: "\\")) { return false }
            body(text.span)
            return true
        }
    }

    /// Empty text is unknown.
    private func text(_ range: Range<Int>) -> FieldValue {
        range.isEmpty ? .none : .text(lines.text(range))
    }

    /// Texts in quotation marks, with a comma between two.
    private func texts(_ range: Range<Int>) -> [FieldValue] {
        var texts: [FieldValue] = []
        var at = range.lowerBound
        while at < range.upperBound {
            let start = at + 1
            at = start
            while lines.bytes[at] != UInt8(ascii: "\"") { at += lines.bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            texts.append(.text(lines.text(start..<at)))
            at += 2
        }
        return texts
    }
}
