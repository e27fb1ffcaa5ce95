// `ythost thumbnail` against a server of pages and pictures: files, bytes, what is told of what does not come, and where it
// may go.

import Foundation
import TestSupport
import Testing
import Threads

@Suite struct ThumbnailCommandTests {
    private let asked = Monitor<[String]>([])

    /// `/page/NAME` shows the picture `/p/NAME`.
    private func desk() throws -> OriginDesk {
        let port = Monitor(0)
        let desk = try OriginDesk { [asked] request, reply in
            let parts = request.target.split(separator: "/").map(String.init)
            guard parts.count > 1, ["p", "show"].contains(parts[0]) else { return false }
            if parts[0] == "show" {
                let base = "http://127.0.0.1:\(port.withLock { $0 })"
                let page =
                    "<!DOCTYPE html><title>\(parts[1])</title><meta property='og:image' content='\(base)/p/\(parts[1])'>"
                reply.answer(200, [("Content-Type", "text/html")], page)
                return true
            }
            asked.withLock { $0.append(parts[1]) }
            switch parts[1] {
            case "slow":
                usleep(2_500_000)
                reply.answer(200, [], PictureBytes.gif(640, 360))
            case "hang": usleep(6_000_000)
            case "html": reply.answer(200, [("Content-Type", "image/jpeg")], "<p>none")
            case "png": reply.answer(200, [("Content-Type", "image/png")], PictureBytes.png(1280, 720))
            default: reply.answer(200, [("Content-Type", "image/gif")], PictureBytes.gif(640, 360))
            }
            return true
        }
        port.withLock { $0 = desk.server.port }
        return desk
    }

    private func base(_ desk: OriginDesk) -> String { "http://127.0.0.1:\(desk.server.port)" }

    @Test("pictures of pages become files of safe names in a folder that is made, and a table tells them")
    func folder() throws {
        let desk = try desk()
        let base = base(desk)
        let run = try desk.run([
            "thumbnail", "\(base)/show/one", "\(base)/show/..%2f..%2fx", "\(base)/p/png", "-o", "a/b",
        ])
        #expect(run.code == 0, "\(run.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: desk.scratch.folder.appending(path: "a/b").path)
        #expect(files.count == 3 && files.allSatisfy { $0.hasPrefix("127.0.0.1-") || $0.hasPrefix("web-") }, "\(files)")
        #expect(files.filter { $0.hasSuffix(".gif") }.count == 2 && files.filter { $0.hasSuffix(".png") }.count == 1)
        #expect(run.lines.count == 4 && run.lines[0].hasPrefix("FILE") && run.lines[1].contains("640x360   gif   14"))
        #expect(run.lines[3].contains("1280x720  png"))
    }

    @Test("one picture goes to a file or to standard output, as the server has it")
    func one() throws {
        let desk = try desk()
        let base = base(desk)
        #expect(try desk.run(["thumbnail", "\(base)/show/one", "-o", "x.gif"]).code == 0)
        let file = desk.scratch.folder.appending(path: "x.gif")
        #expect(try Data(contentsOf: file) == Data(PictureBytes.gif(640, 360)))
        for flags in [[], ["-o", "-"]] {
            let run = try desk.run(["thumbnail", "\(base)/show/one"] + flags)
            #expect(run.code == 0 && run.data == Data(PictureBytes.gif(640, 360)), "\(run.errors)")
        }
        // What does not come leaves what stood there.
        let failed = try desk.run(["thumbnail", "\(base)/show/html", "-o", "x.gif"])
        #expect(
            failed.code == 4
                && failed.errors.contains("/show/html: there is no picture: default: it is no picture but text"))
        #expect(try Data(contentsOf: file) == Data(PictureBytes.gif(640, 360)))
    }

    @Test("a picture's own address is asked once, within the time, and says why it is none")
    func direct() throws {
        let desk = try desk()
        let base = base(desk)
        for name in ["png", "gif.gif"] {
            let run = try desk.run(["thumbnail", "\(base)/p/\(name)", "--fresh", "-o", "x.gif"])
            #expect(run.code == 0 && run.lines.count == 2, "\(run.errors)")
            #expect(asked.withLock { $0.filter { $0 == name }.count } == 1)
        }
        let start = Date()
        let late = try desk.run(["thumbnail", "\(base)/p/hang", "--timeout", "1", "-o", "y.gif"])
        #expect(late.code == 4 && late.errors.contains("did not answer in time"), "\(late.errors)")
        #expect(Date().timeIntervalSince(start) < 4 && asked.withLock { $0.filter { $0 == "hang" }.count } == 1)
        let none = try desk.run(["thumbnail", "\(base)/p/html", "-o", "y.gif"])
        #expect(none.code == 4 && none.errors.contains("it is no picture but text"), "\(none.errors)")
        #expect(asked.withLock { $0.filter { $0 == "html" }.count } == 1)
    }

    @Test("a name that ends as pictures do is a file, any other a folder, for addresses and for records")
    func places() throws {
        let desk = try desk()
        let address = "\(base(desk))/p/png"
        let record = #"{"ythost":1,"provider":"x","id":"a","thumbnails":{"a":{"url":"\#(address)"}}}"# + "\n"
        func isFolder(_ name: String) -> Bool? {
            var answer: ObjCBool = false
            let path = desk.scratch.folder.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &answer) ? answer.boolValue : nil
        }
        #expect(try desk.run(["thumbnail", address, "-o", "one"]).code == 0)
        #expect(isFolder("one") == true)
        func pipe(_ lines: String, _ place: [String]) throws -> Program.Run {
            try desk.run(["thumbnail", "-", "--allow", desk.place] + place, input: .bytes(Data(lines.utf8)))
        }
        #expect(try pipe(record, ["-o", "two.JPG"]).code == 0)
        #expect(isFolder("two.JPG") == false)
        #expect(try pipe(record, ["-o", "three.jpg/"]).code == 0)
        #expect(isFolder("three.jpg") == true)
        #expect(try pipe(record, []).data == Data(PictureBytes.png(1280, 720)))
        let before = asked.withLock { $0.count }
        for place in [["-o", "four.jpg"], []] {
            let several = try pipe(record + record, place)
            #expect(several.code == 2 && several.errors.contains("several pictures need a folder"), "\(several.errors)")
        }
        let several = try desk.run(["thumbnail", address, address, "-o", "four.jpg"])
        #expect(several.code == 2 && isFolder("four.jpg") == nil && asked.withLock { $0.count } == before)
    }

    @Test("a picture that cannot be written is told, and those that could be are in the table")
    func writing() throws {
        let desk = try desk()
        let base = base(desk)
        try FileManager.default.createDirectory(
            at: desk.scratch.folder.appending(path: "out/127.0.0.1-one.gif"), withIntermediateDirectories: true)
        let run = try desk.run(["thumbnail", "\(base)/p/one", "\(base)/p/png", "-o", "out"])
        #expect(run.code != 0 && run.errors.contains("127.0.0.1-one.gif"), "\(run.errors)")
        #expect(run.lines.count == 2 && run.lines[1].hasPrefix("out/127.0.0.1-png.png"), "\(run.output)")
    }

    @Test("of several those that come are written, the others told, and the exit code says so")
    func some() throws {
        let desk = try desk()
        let base = base(desk)
        let start = Date()
        let run = try desk.run(
            [
                "thumbnail", "\(base)/show/slow", "\(base)/show/html", "\(base)/nothing", "\(base)/show/one",
                "--timeout", "1",
            ]
                + ["-o", "out"])
        #expect(run.code == 4 && run.lines.count == 2 && run.lines[1].contains("show-one") == false)
        #expect(run.lines[1].hasPrefix("out/") && run.lines[1].hasSuffix("/show/one"), "\(run.output)")
        #expect(run.errors.contains("/show/slow: there is no picture: default: 127.0.0.1 did not answer in time"))
        #expect(run.errors.contains("/show/html: there is no picture"))
        #expect(run.errors.contains("/nothing: no picture is known of it"), "\(run.errors)")
        #expect(Date().timeIntervalSince(start) < 10)
        let json = try desk.run(["thumbnail", "\(base)/show/html", "-o", "out/", "--errors", "json"])
        #expect(json.code == 4 && json.errors.contains("\"kind\":\"picture\""), "\(json.errors)")
    }

    @Test("records from a pipe have theirs; private places only where they are granted")
    func records() throws {
        let desk = try desk()
        let record =
            #"{"ythost":1,"provider":"x","id":"../../etc/x","title":"T","thumbnails":{"a":{"url":"\#(base(desk))/p/one","width":640}}}"#
        func run(_ flags: [String]) throws -> Program.Run {
            try desk.run(["thumbnail", "-", "-o", "out"] + flags, input: .bytes(Data("\(record)\n\(record)\n".utf8)))
        }
        let refused = try run([])
        #expect(refused.code == 4 && refused.errors.contains("private address"), "\(refused.errors)")
        #expect(asked.withLock { $0.isEmpty })
        let given = try run(["--allow", desk.place])
        #expect(given.code == 0, "\(given.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: desk.scratch.folder.appending(path: "out").path)
        #expect(files.sorted() == ["x-etc-x-2.gif", "x-etc-x.gif"], "\(files)")
    }

    @Test(
        "what cannot be is told before anything is asked",
        arguments: [
            ([], "needs an address"), (["abc", "-o", "x/"], "'abc' names no video"),
            (["dQw4w9WgXcQ", "dQw4w9WgXcQ"], "several pictures need a folder"),
            (["dQw4w9WgXcQ", "-"], "leave one of them out"), (["dQw4w9WgXcQ", "--format", "bmp"], "there is no 'bmp'"),
            (["dQw4w9WgXcQ", "--aspect", "1.5"], "as 16:9 is"), (["dQw4w9WgXcQ", "--width", "0"], "from 1 to 10000"),
            (["dQw4w9WgXcQ", "--timeout", "0"], "from 1 to 600"),
            (["dQw4w9WgXcQ", "dQw4w9WgXcQ", "-o", "Package.swift"], "is no folder"),
            (["https://user:secret@example.org/", "-o", "x/"], "a login in it"),
        ] as [([String], String)])
    func usage(arguments: [String], told: String) throws {
        let run = try Command.run(["thumbnail"] + arguments)
        #expect(run.code == 2 && run.errors.contains(told), "\(run.errors)")
    }
}
