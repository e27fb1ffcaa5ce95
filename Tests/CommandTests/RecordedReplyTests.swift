// Recorded replies of services through the command, where they are at hand; they belong to others and are not part of the
// package.

import Foundation
import Testing

private enum Recorded {
    static let folder = Command.root.appending(path: "../shared/fixtures/youtube-api").standardizedFileURL

    /// Under CI they must be there: a missing folder is a failure, not a skipped test.
    static let areAtHand = Judge.isCI || FileManager.default.fileExists(atPath: folder.path)

    static let replies =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".json") && ($0.hasPrefix("search") || $0.hasPrefix("videos")) }.sorted() ?? []
}

@Suite(.enabled(if: Recorded.areAtHand, "the recorded replies in ../shared/fixtures are not here"))
struct RecordedReplyTests {
    @Test("the recorded replies are here")
    func present() { #expect(Recorded.replies.count > 15) }

    @Test("every recorded reply becomes a table with a row a record", arguments: Recorded.replies)
    func rows(name: String) throws {
        let file = Recorded.folder.appending(path: name)
        let reply = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        let items = (reply?["items"] as? [[String: Any]])?.count ?? (reply?["id"] == nil ? 0 : 1)
        let parsed = try Command.run(["parse", file.path])
        #expect(parsed.code == 0, "\(parsed.errors)")
        #expect(!parsed.errors.contains("left out"), "\(parsed.errors)")
        #expect(parsed.lines.count == items)
        let table = try Command.run(["run", "table", "-"], input: .bytes(parsed.data))
        #expect(table.code == 0, "\(table.errors)")
        #expect(table.lines.count == (items == 0 ? 0 : items + 1))
        #expect(table.output.unsafeForTerminal.isEmpty)
        let narrow = try Command.run(["run", "table", "-", "--width", "60"], input: .bytes(parsed.data))
        #expect(narrow.lines.count == table.lines.count)
    }

    @Test("every recorded reply becomes a feed", .enabled(if: Judge.judgesWithPython, "no python3"))
    func feeds() throws {
        for name in Recorded.replies {
            let file = Recorded.folder.appending(path: name).path
            let run = try Command.run(["run", "rss", "--input", file])
            #expect(run.code == 0, "\(run.errors)")
            let feed = try Judge.feed(run.data)
            #expect(Set(feed.items.compactMap(\.guid)).count == feed.items.count, "\(name)")
            #expect(feed.items.allSatisfy { $0.link?.hasPrefix("https://www.youtube.com/") == true }, "\(name)")
            #expect(feed.items.allSatisfy { $0.link?.hasSuffix("=nil") == false }, "\(name)")
        }
    }

    @Test("a packed library of a shape of its own is read by a plugin with a mapper of ten lines")
    func mappedLibrary() throws {
        let library = Recorded.folder.appending(path: "../talks-20k.jsonl.gz").standardizedFileURL.path
        let scratch = try Scratch()
        try scratch.file(
            "talks.lua",
            """
            local read = yt.mapper{
              id = "id",
              title = "title",
              published = {"recorded", as = "time"},
              duration = {"duration", as = "duration"},
              language = "language",
              event = "event",
              provider = {value = "youtube"},
            }
            return { search = function() return read(yt.file.read("\(library)")) end }
            """)
        let run = try Command.run(
            ["run", scratch.path("talks.lua"), "all", "--allow", "read:\(library)", "--print", "{id} {title}"])
        #expect(run.code == 0, "\(run.errors)")
        let parsed = try Command.run(["parse", library, "--as", "ythost", "--print", "{id} {title}"])
        #expect(parsed.code == 0, "\(parsed.errors)")
        #expect(run.lines.count > 20_000 && run.lines == parsed.lines)
    }
}
