// CSV tables of Google Takeout: subscriptions (id, URL, title) and the videos of a playlist (id, time). Their headings
// are in the account's language, so a table is recognized by its first row.

import Basics
import VideoModel

enum TakeoutTables {
    static let format = DocumentFormat(
        name: "takeout", summary: "Google Takeout tables: subscriptions, playlists", recognises: recognises, read: read)

    private enum Table {
        case subscriptions, playlist

        /// Detects the table by the number of columns in the heading and the first row.
        init?(columns: Int, _ row: [String]) {
            if columns == 3, row.count == 3, isID(row[0], .channel), row[1].contains("://") {
                self = .subscriptions
            } else if columns == 2, row.count == 2, isID(row[0], .video), Timestamp.parse(row[1]) != nil {
                self = .playlist
            } else {
                return nil
            }
        }

        /// Detects a table without rows by its English heading.
        init?(heading: [String]) {
            switch heading.map({ $0.lowercased() }) {
            case ["channel id", "channel url", "channel title"]: self = .subscriptions
            case ["video id", "playlist video creation timestamp"]: self = .playlist
            default: return nil
            }
        }

        var columns: Int { self == .subscriptions ? 3 : 2 }

        func video(_ fields: [String]) -> Video? {
            let id = trimmed(fields[0])
            switch self {
            case .subscriptions:
                guard isID(id, .channel) else { return nil }
                let title = fields[2].isEmpty ? FieldValue.none : .text(fields[2])
                return Video([
                    .provider: .text("youtube"), .id: .text(id), .kind: .text("channel"), .title: title,
                    .channel: Channel(id: id, title: title.text).value,
                ])
            case .playlist:
                guard isID(id, .video) else { return nil }
                let added = Timestamp.parse(fields[1]).map { [FieldValue.Member("added", .integer($0))] }
                return Video([.provider: .text("youtube"), .id: .text(id), .kind: .text("video")], extra: added ?? [])
            }
        }
    }

    private static func isID(_ id: String, _ kind: Video.Kind) -> Bool {
        MediaRef.canonicalURL(provider: "youtube", kind: kind, id: trimmed(id)) != nil
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func recognises(_ head: DocumentHead) -> Bool? {
        // Only complete lines: the head may end within one.
        let newline = UInt8(ascii: "\n")
        let whole = head.isWhole ? head.text.endIndex : head.text.lastIndex(of: newline) ?? head.text.startIndex
        if !head.isWhole, !head.text.prefix(longestHeading).contains(newline), head.text.count > longestHeading {
            return false
        }
        var reader = CSVReader(Array(head.text[..<whole]))
        guard let heading = try? reader.next() else { return head.isWhole ? false : nil }
        guard (2...3).contains(heading.fields.count) else { return false }
        guard let row = try? reader.next() else {
            return head.isWhole ? Table(heading: heading.fields) != nil : nil
        }
        return Table(columns: heading.fields.count, row.fields) != nil
    }

    /// The maximum length of a heading in bytes.
    private static let longestHeading = 1000

    private static func read(_ document: Document, _ records: inout DocumentRecords) throws(FormatError) {
        var reader = CSVReader(document.bytes)
        do throws(CSVReader.Unclosed) {
            guard let heading = try reader.next() else { return }
            var table = Table(heading: heading.fields)
            while let row = try reader.next() {
                table = table ?? Table(columns: heading.fields.count, row.fields)
                guard let table else {
                    records.skip(.line(row.line), "neither a subscription nor a video of a playlist")
                    continue
                }
                guard row.fields.count == table.columns else {
                    records.skip(.line(row.line), "\(row.fields.count) fields where the heading has \(table.columns)")
                    continue
                }
                guard let video = table.video(row.fields) else {
                    records.skip(.line(row.line), "\"\(row.fields[0].prefix(40))\" is no id")
                    continue
                }
                records.add(video)
            }
        } catch {
            throw .badDocument(
                format: "takeout", line: error.line, column: error.column, reason: "a quoted field does not end")
        }
    }
}
