// What the tests need around the command: a folder of their own, records to feed, and other programs' parsers. A parser
// that is not installed skips its tests visibly, except under CI, where its absence is a failure.

import Foundation
import Testing

/// A folder that goes away with the test.
final class Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ythost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file, and gives its path.
    @discardableResult
    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    /// Names in the folder, hidden ones included.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

/// Programs that judge what the command writes.
enum Judge {
    static let isCI = ProcessInfo.processInfo.environment["CI"] != nil

    /// A program in the usual places; nil when it is not there.
    static func find(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static let python = find("python3")
    static let xmllint = find("xmllint")
    static let chromium = find("chromium")
    /// The Python of `scripts/setup --tests`, which has feedparser.
    static let venv = Command.root.appending(path: ".build/tests-venv/bin/python3").path
    static let hasVenv = FileManager.default.isExecutableFile(atPath: venv)

    /// Whether tests that need Python run: under CI they do, and fail without it.
    static let judgesWithPython = python != nil || isCI

    /// Runs a Python program on bytes; what it prints.
    static func python(_ code: String, _ input: Data, arguments: [String] = []) throws -> String {
        let run = try Program(try #require(python), ["-c", code] + arguments, environment: ["PYTHONUTF8": "1"])
            .run(input: .bytes(input))
        try #require(run.code == 0, "\(run.errors)")
        return run.output
    }

    /// Reads CSV with Python's strict reader.
    static func csv(_ data: Data) throws -> [[String]] {
        let code = """
            import csv, io, json, sys
            text = sys.stdin.buffer.read().decode("utf-8")
            print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), strict=True))))
            """
        return try JSONDecoder().decode([[String]].self, from: Data(try python(code, data).utf8))
    }

    /// What an XML parser reads in a feed.
    struct Feed: Decodable {
        struct Item: Decodable {
            var title: String?
            var link: String?
            var guid: String?
            var isPermaLink: String?
            var pubDate: String?
            var description: String?
            var creator: String?
        }
        var title: String?
        var link: String?
        var description: String?
        var items: [Item]
    }

    /// Reads a feed with Python's parser, which takes only well-formed XML.
    static func feed(_ data: Data) throws -> Feed {
        let code = """
            import json, sys
            import xml.etree.ElementTree as E
            rss = E.fromstring(sys.stdin.buffer.read())
            assert rss.tag == "rss" and rss.get("version") == "2.0" and len(rss) == 1
            channel = rss[0]
            def item(i):
                guid = i.find("guid")
                return dict(title=i.findtext("title"), link=i.findtext("link"), guid=i.findtext("guid"),
                    isPermaLink=None if guid is None else guid.get("isPermaLink"), pubDate=i.findtext("pubDate"),
                    description=i.findtext("description"),
                    creator=i.findtext("{http://purl.org/dc/elements/1.1/}creator"))
            print(json.dumps(dict(title=channel.findtext("title"), link=channel.findtext("link"),
                description=channel.findtext("description"), items=[item(i) for i in channel.findall("item")])))
            """
        return try JSONDecoder().decode(Feed.self, from: Data(try python(code, data).utf8))
    }
}

/// A record of JSON Lines, as the command writes and reads it.
struct Record: Codable, Equatable {
    struct Channel: Codable, Equatable {
        var title: String?
    }
    var ythost: Int? = 1
    var provider: String?
    var id: String?
    var kind: String? = "video"
    var url: String?
    var title: String?
    var channel: Channel?
    var published: String?
    var duration: Int?
    var views: Int?
    var description: String?

    static func lines(_ records: [Record]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try records.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }

    static func read(_ run: Program.Run) throws -> [Record] {
        try run.lines.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }
}

extension String {
    /// Characters that move a terminal's cursor or turn its text round: controls, C1, and bidi overrides.
    var unsafeForTerminal: [Unicode.Scalar] {
        unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
