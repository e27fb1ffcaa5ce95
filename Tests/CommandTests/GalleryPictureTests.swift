// The pictures of the page: fetched and carried in it where records name some, few at a time, and nothing worse than a
// letter and a line on standard error where they cannot be had.

import Foundation
import TestSupport
import Testing
import Threads

@Suite struct GalleryPictureTests {
    private struct Seen {
        var asked: [String] = []
        var now = 0, most = 0
    }
    private let seen = Monitor(Seen())

    private func desk() throws -> OriginDesk {
        try OriginDesk { [seen] request, reply in
            guard request.target.hasPrefix("/p/") else { return false }
            let name = String(request.target.dropFirst(3))
            seen.withLock { seen in
                seen.asked.append(name)
                seen.now += 1
                seen.most = max(seen.most, seen.now)
            }
            usleep(20_000)
            seen.withLock { $0.now -= 1 }
            switch name.prefix(4) {
            case "html": reply.answer(200, [("Content-Type", "image/jpeg")], "<script>alert(1)</script>")
            case "larg":
                reply.answer(
                    200, [], Array(PictureBytes.gif(9, 9).dropLast()) + [UInt8](repeating: 0, count: 1 << 20) + [0x3B])
            default: reply.answer(200, [("Content-Type", "text/html")], PictureBytes.gif(320, 180))
            }
            return true
        }
    }

    private func record(_ id: String, _ url: String) -> String {
        #"{"ythost":1,"provider":"x","id":"\#(id)","kind":"video","title":"Title of \#(id)","thumbnails":{"a":{"url":"\#(url)","width":320}}}"#
    }

    private func page(_ desk: OriginDesk, _ names: [String], _ flags: [String] = []) throws -> Program.Run {
        let lines = names.map { record($0, "http://127.0.0.1:\(desk.server.port)/p/\($0)") }
        return try desk.run(
            ["run", "html", "-"] + flags, input: .bytes(Data(lines.joined(separator: "\n").utf8)))
    }

    @Test("pictures that records name are fetched, a few at the same time, and carried in the page")
    func carried() throws {
        let desk = try desk()
        let names = (0..<40).map { "good\($0)" }
        let run = try page(desk, names, ["--allow", desk.place])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.components(separatedBy: "src=\"data:image/gif;base64,").count == 41)
        #expect(run.output.contains("img-src data:;") && !run.output.contains("127.0.0.1"))
        #expect(seen.withLock { $0.asked.sorted() == names.sorted() && (2...12).contains($0.most) })
        // The same again, but without asking, and in sections the same pictures.
        let again = try page(desk, names, ["--allow", desk.place])
        #expect(again.output == run.output)
        let grouped = try page(desk, names, ["--allow", desk.place, "--group", "channel"])
        #expect(grouped.output.components(separatedBy: "src=\"data:image/gif;base64,").count == 41)
    }

    @Test("what cannot be had, is no picture or is too large is a letter, told once")
    func missing() throws {
        let desk = try desk()
        let run = try page(desk, ["good", "html1", "large", "html2"], ["--allow", desk.place])
        #expect(run.code == 0 && run.output.contains("Title of html2") && !run.output.contains("alert(1)"))
        #expect(run.output.components(separatedBy: "<img ").count == 2)
        let lines = run.errors.split(separator: "\n")
        #expect(
            lines.count == 1
                && run.errors.contains("3 pictures could not be had; the page shows letters instead: there is"),
            "\(run.errors)")
    }

    @Test(
        "a host that has nothing is left alone after some in a row, and one that was not granted is asked for nothing")
    func hosts() throws {
        let desk = try desk()
        let run = try page(desk, (0..<60).map { "html\($0)" }, ["--allow", desk.place])
        #expect(run.code == 0 && seen.withLock { $0.asked.count } == 12, "\(run.errors)")
        let refused = try page(desk, ["good", "good2"])
        #expect(refused.code == 0 && seen.withLock { $0.asked.count } == 12)
        #expect(
            refused.errors.split(separator: "\n").count == 1
                && refused.errors.contains("pictures of \(desk.place.dropFirst(4)) are left out; --allow \(desk.place)"),
            "\(refused.errors)")
        #expect(refused.output.contains("Title of good2") && !refused.output.contains("<img"))
    }

    @Test("nobody is asked where no record names a picture, where none is wanted, and when nothing may be sent")
    func nobody() throws {
        let desk = try desk()
        let none = try page(desk, ["good"], ["--allow", desk.place, "--thumbnails", "none"])
        #expect(none.code == 0 && none.errors.isEmpty && none.output.contains("img-src &#39;none&#39;"))
        let offline = try page(desk, ["good"], ["--allow", desk.place, "--offline"])
        #expect(offline.code == 0 && offline.errors.contains("nothing may be sent"), "\(offline.errors)")
        #expect(seen.withLock { $0.asked.isEmpty })
        let sample = try desk.run(["run", "html", "programming", "-q"])
        #expect(sample.code == 0 && sample.errors.isEmpty && sample.output.contains("img-src &#39;none&#39;"))
    }

    @Test("a table has a picture below each row whose record names one, when it is asked for")
    func table() throws {
        let desk = try OriginDesk { request, reply in
            guard request.target.hasPrefix("/p/") else { return false }
            reply.answer(200, [], request.target.hasSuffix("bad") ? Array("no".utf8) : PictureSamples.png)
            return true
        }
        let records = ["one", "bad", "two"].map { record($0, "http://127.0.0.1:\(desk.server.port)/p/\($0)") }
        let lines = (records + [#"{"ythost":1,"provider":"x","id":"none","title":"Title of none"}"#]).joined(
            separator: "\n")
        func run(_ flags: [String]) throws -> Program.Run {
            try desk.run(
                ["run", "table", "-", "--columns", "title", "--allow", desk.place] + flags,
                input: .bytes(Data(lines.utf8)))
        }
        let plain = try run([])
        #expect(plain.lines == ["TITLE", "Title of one", "Title of bad", "Title of two", "Title of none"])
        let run = try run(["--thumbnails", "--color", "always"])
        #expect(
            run.code == 0 && run.errors.contains("a picture could not be had: there is no picture: a: it is no picture")
        )
        let titles = run.lines.indices.filter { run.lines[$0].contains("Title of") }
        #expect(titles.count == 4 && titles[1] - titles[0] > 2 && titles[2] - titles[1] == 1, "\(run.output)")
        #expect(run.lines[titles[0] + 1].contains("\u{1B}[") && titles[3] == run.lines.count - 1)
    }
}
