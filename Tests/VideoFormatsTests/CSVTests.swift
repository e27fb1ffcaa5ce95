// Tables: how records are cut, and which tables are known.

import Testing

@testable import Basics
@testable import VideoFormats
@testable import VideoModel

private let id = "UCuAXFkgsw1L7xaCfnd5JJOw"

@Suite struct CSVTests {
    private func rows(_ text: String, separator: UInt8? = nil) throws -> [[String]] {
        var reader = CSVReader(Array(text.utf8), separator: separator)
        var rows: [[String]] = []
        while let row = try reader.next() { rows.append(row.fields) }
        return rows
    }

    @Test(
        "records are cut as RFC 4180 has it, and as spreadsheets write them",
        arguments: [
            ("", []), ("\n\r\n", []), ("a", [["a"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\rc,d", [["a", "b"], ["c", "d"]]), (",\n", [["", ""]]),
            ("\"a,\"\"b\"\"\r\nc\",d", [["a,\"b\"\r\nc", "d"]]),
            ("\u{FEFF}a;b,c;d\n1;2;3", [["a", "b,c", "d"], ["1", "2", "3"]]), ("a\tb,c\td", [["a", "b,c", "d"]]),
            ("\"a;b;c\",d", [["a;b;c", "d"]]), ("a \"b\",c", [["a \"b\"", "c"]]), ("\"a\"b,c", [["ab", "c"]]),
            ("\"\"", [[""]]), ("\"\",\"\"\n", [["", ""]]), ("a,é😀\0\n", [["a", "é😀\0"]]),
        ] as [(String, [[String]])])
    func records(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test("records know their lines, and a quoted field that does not end its place")
    func places() throws {
        var reader = CSVReader(Array("a,\"b\r\n\nc\"\n\nd,e\n\"f\nx,\"\"y\nz".utf8))
        #expect(try reader.next()?.line == 1)
        #expect(try reader.next()?.line == 5)
        let error = #expect(throws: CSVReader.Unclosed.self) { try reader.next() }
        #expect(error?.description == "line 6, column 1: a quoted field does not end")
        #expect(try reader.next() == nil)
    }

    @Test("UTF-16 is read, and bytes that are no UTF-8 become U+FFFD")
    func encodings() throws {
        var reader = CSVReader([0xFF, 0xFE] + "a,ß".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(try reader.next()?.fields == ["a", "ß"])
        reader = CSVReader([0x61, 0x2C, 0xE9])
        #expect(try reader.next()?.fields == ["a", "\u{FFFD}"])
    }

    private func read(_ text: String, as name: String? = nil) throws -> (videos: [Video], reader: RecordReader) {
        let reader = try RecordReader(as: name)
        var videos: [Video] = []
        for byte in text.utf8 { videos += try reader.feed([byte]) }
        return (try videos + reader.finish(), reader)
    }

    @Test(
        "a table of subscriptions is known by its first row, whatever its heading says",
        arguments: [
            "Channel Id,Channel Url,Channel Title", "ID del canal,URL del canal,Título del canal", "チャンネル ID,URL,題",
        ], [nil, "takeout"])
    func subscriptions(heading: String, name: String?) throws {
        let url = "http://www.youtube.com/channel/\(id)"
        let (videos, reader) = try read(
            "\(heading)\r\n\(id),\(url),\"A, \"\"title\"\"\"\r\n\(id),\(url),\r\nbad,x,y\r\n\(id),\(url)\r\n\r\n",
            as: name)
        #expect(reader.kind == "takeout")
        #expect(videos.map(\.id) == [id, id] && videos.map(\.title) == ["A, \"title\"", nil])
        #expect(videos.allSatisfy { $0.kind == .channel && $0.url == "https://www.youtube.com/channel/\(id)" })
        #expect(videos[0].channel.title == "A, \"title\"")
        #expect(
            reader.skipped.map(\.description) == [
                "line 4: \"bad\" is no id", "line 5: 2 fields where the heading has 3",
            ])
    }

    @Test("a table of a playlist's videos is known by its first row")
    func playlist() throws {
        let (videos, reader) = try read("ID,Zeit\ndQw4w9WgXcQ,2023-01-02T03:04:05+00:00\n dQw4w9WgXcQ,never\n")
        #expect(reader.kind == "takeout" && videos.map(\.id) == ["dQw4w9WgXcQ", "dQw4w9WgXcQ"])
        #expect(videos.map { $0.extra.first?.value } == [.integer(1_672_628_645), nil])
    }

    @Test(
        "older exports have the playlist before its videos, in any language",
        arguments: [
            "Playlist Id,Channel Id,Time Created,Time Updated,Title,Description,Visibility\nPL0000000000000000,\(id),2021-03-21 08:37:33 UTC,2022-01-18 19:38:30 UTC,Music,,Private\n\nVideo Id,Time Added\ndQw4w9WgXcQ,2021-03-21 08:37:33 UTC\n",
            "ID playlist,ID canale,Data,Data 2,Titolo,Descrizione,Visibilità\nPL0000000000000000,\(id),2023-03-07 05:54:43 Z,2023-03-20 13:28:01 Z,elenco,prova,Privato\n,,,,,,\nID video,Data,,,,,\ndQw4w9WgXcQ,2021-03-21 08:37:33 Z,,,,,\n",
            "Video ID,Time Added\ndQw4w9WgXcQ,2021-03-21 08:37:33 UTC\n",
        ])
    func playlistAndVideos(text: String) throws {
        let (videos, reader) = try read(text)
        #expect(reader.kind == "takeout" && videos.map(\.id) == ["dQw4w9WgXcQ"] && reader.skipped.isEmpty)
        #expect(videos.map { $0.extra.first?.value } == [.integer(1_616_315_853)])
    }

    @Test("a table of playlists gives playlists")
    func playlists() throws {
        let list = "PL0000000000000000"
        let old =
            "A,B,C,D,E,F,G\n\(list),\(id),2021-03-21 08:37:33 UTC,2022-01-18 19:38:30 UTC,Music,,Private\nx,y,2021-03-21,2021-03-21,a,b,c\n"
        let new =
            "Playlist ID,Add new videos to top,Playlist Title (Original),Playlist Title (Original) Language,Playlist Create Timestamp,Playlist Update Timestamp,Playlist Video Order,Playlist Visibility\n\(list),False,Music,,2021-03-21T08:37:33+00:00,2022-01-18T19:38:30+00:00,Manual,Private\n"
        let columns = "a,b,c,d,e,f,g,h\n" + new.split(separator: "\n")[1]
        for (text, skipped) in [(old, 1), (new, 0), (columns, 0)] {
            let (videos, reader) = try read(text)
            #expect(videos.map(\.id) == [list] && videos.map(\.title) == ["Music"] && videos.map(\.kind) == [.playlist])
            #expect(videos.map(\.published) == [1_616_315_853] && reader.skippedCount == skipped)
        }
        #expect(throws: FormatError.self) { try read("a,b,c,d,e\nx,y,z,2021-03-21,2021-03-22\n") }
    }

    @Test("a heading alone is known in English, and other tables are not")
    func others() throws {
        #expect(try read("Channel ID,Channel URL,Channel title\n").videos.isEmpty)
        for text in ["a,b,c\n1,2,3\n", "a,b\n", "a,b,c", "x,y,z\n\"never closed"] {
            #expect(throws: FormatError.self) { try read(text) }
        }
        let text = "a,b,c\n\(id),https://x,t\n\(id),\"open"
        let (videos, reader) = try read(text)
        #expect(videos.map(\.title) == ["t"])
        let error = #expect(throws: FormatError.self) { try reader.finish() }
        #expect(error?.description == "cannot be read as takeout: line 3, column 26: a quoted field does not end")
    }
}
