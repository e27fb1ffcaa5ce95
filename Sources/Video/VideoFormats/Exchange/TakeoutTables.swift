// CSV tables of Google Takeout: subscriptions (id, URL, title), the videos of a playlist (id, time), and playlists. Their
// headings are in the account's language, so a table is recognized by its first row. In older exports one file has two
// tables: a playlist, then its videos.

import Basics
import VideoModel

enum TakeoutTables {
    static let format = DocumentFormat(
        name: "takeout", summary: "Google Takeout tables: subscriptions, playlists", recognises: recognises, read: read)

    private enum Table {
        case subscriptions, videos, playlists

        /// Detects the table by the number of columns in the heading and the first row.
        init?(columns: Int, _ row: [String]) {
            if columns == 3, row.count == 3, isID(row[0], .channel), row[1].contains("://") {
                self = .subscriptions
            } else if columns == 2, row.count == 2, isID(row[0], .video), Timestamp.parse(row[1]) != nil {
                self = .videos
            } else if columns > 4, playlist(row) != nil {
                self = .playlists
            } else {
                return nil
            }
        }

        /// Detects a table without rows by its English heading.
        init?(heading: [String]) {
            let names = heading.map { $0.lowercased() }
            switch names {
            case ["channel id", "channel url", "channel title"]: self = .subscriptions
            case ["video id", "playlist video creation timestamp"], ["video id", "time added"]: self = .videos
            default:
                guard names.first == "playlist id", names.count > 4 else { return nil }
                self = .playlists
            }
        }

        func video(_ fields: [String], heading: [String]) -> Video? {
            let id = trimmed(fields[0])
            switch self {
            case .subscriptions:
                guard isID(id, .channel) else { return nil }
                let title = fields[2].isEmpty ? FieldValue.none : .text(fields[2])
                return Video([
                    .provider: .text("youtube"), .id: .text(id), .kind: .text("channel"), .title: title,
                    .channel: Channel(id: id, title: title.text).value,
                ])
            case .videos:
                guard isID(id, .video) else { return nil }
                let added = Timestamp.parse(fields[1]).map { [FieldValue.Member("added", .integer($0))] }
                return Video([.provider: .text("youtube"), .id: .text(id), .kind: .text("video")], extra: added ?? [])
            case .playlists:
                guard let list = playlist(fields) else { return nil }
                let named = heading.firstIndex {
                    let name = $0.lowercased()
                    return name.contains("title") && !name.contains("language")
                }
                let title = [named, list.title].lazy.compactMap { $0 }.first { $0 < fields.count }.map { fields[$0] }
                return Video(
                    [
                        .provider: .text("youtube"), .id: .text(id), .kind: .text("playlist"),
                        .title: FieldValue(title.flatMap(FeedText.known)), .published: FieldValue(list.created),
                    ].filter { !$0.value.isNone })
            }
        }
    }

    /// The columns of a playlist: an id, and two times next to each other, when it was created and changed. In older
    /// exports the second column is the channel's id and the title follows the times; in newer ones the title and its
    /// language precede them.
    private static func playlist(_ row: [String]) -> (title: Int, created: Int64?)? {
        let times = row.map { $0.utf8.count < 8 ? nil : Timestamp.parse($0) }
        guard let first = row.first.map(trimmed),
            ["WL", "LL"].contains(first) || (try? MediaRef.parse(first))?.kind == .playlist,
            let created = times.indices.dropLast().first(where: { times[$0] != nil && times[$0 + 1] != nil })
        else { return nil }
        let isOld = isID(row[1], .channel)
        guard isOld || created >= 3 else { return nil }
        return (isOld ? created + 2 : created - 2, times[created])
    }

    private static func isID(_ id: String, _ kind: Video.Kind) -> Bool {
        MediaRef.canonicalURL(provider: "youtube", kind: kind, id: trimmed(id)) != nil
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The fields without the empty ones at the end, which pad the shorter table of a file.
    private static func unpadded(_ fields: [String]) -> [String] {
        Array(fields.prefix((fields.lastIndex { !$0.isEmpty } ?? -1) + 1))
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
        let columns = unpadded(heading.fields).count
        guard (2...40).contains(columns) else { return false }
        guard let row = try? reader.next() else {
            return head.isWhole ? Table(heading: unpadded(heading.fields)) != nil : nil
        }
        return Table(columns: columns, fitted(row.fields, to: columns)) != nil
    }

    /// The maximum length of a heading in bytes.
    private static let longestHeading = 1000

    /// The fields of a row under a heading: empty ones beyond it are padding.
    private static func fitted(_ fields: [String], to columns: Int) -> [String] {
        fields.count > columns && unpadded(fields).count <= columns ? Array(fields.prefix(columns)) : fields
    }

    private static func read(_ document: Document, _ records: inout DocumentRecords) throws(FormatError) {
        var reader = CSVReader(document.bytes)
        do throws(CSVReader.Unclosed) {
            guard var heading = try reader.next().map({ unpadded($0.fields) }) else { return }
            var table = Table(heading: heading)
            /// Playlists, until it is known whether the file is about the videos of one.
            var lists: [Video] = []
            while let row = try reader.next() {
                if unpadded(row.fields).isEmpty { continue }
                if table == .playlists, unpadded(row.fields).count == 2, playlist(row.fields) == nil {
                    heading = unpadded(row.fields)
                    table = Table(heading: heading)
                    lists = []
                    continue
                }
                let fields = fitted(row.fields, to: heading.count)
                table = table ?? Table(columns: heading.count, fields)
                guard let table else {
                    records.skip(.line(row.line), "neither a subscription, a playlist nor a video of one")
                    continue
                }
                guard fields.count == heading.count else {
                    records.skip(.line(row.line), "\(fields.count) fields where the heading has \(heading.count)")
                    continue
                }
                guard let video = table.video(fields, heading: heading) else {
                    records.skip(.line(row.line), "\"\(fields[0].prefix(40))\" is no id")
                    continue
                }
                if table == .playlists { lists.append(video) } else { records.add(video) }
            }
            for list in lists { records.add(list) }
        } catch {
            throw .badDocument(
                format: "takeout", line: error.line, column: error.column, reason: "a quoted field does not end")
        }
    }
}
