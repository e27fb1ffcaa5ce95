// `yt.thumbnail` against a server of pictures that lacks sizes, sends grey stand-ins, cuts pictures off and sends what is
// none: the right picture or a clear error, and no size asked for twice.

import Foundation
import TestSupport
import Testing
import Threads

@Suite struct ThumbnailTests {
    private static func picture(_ width: Int, _ height: Int) -> [UInt8] { PictureBytes.gif(width, height) }

    /// Serves pictures by the first part of the path, and notes what was asked for.
    private func desk(_ asked: Monitor<[String]>) throws -> OriginDesk {
        try OriginDesk { request, reply in
            guard request.target.hasPrefix("/p/") else { return false }
            let name = String(request.target.dropFirst(3))
            asked.withLock { $0.append(name) }
            switch name {
            case "missing": reply.answer(404, [("Content-Type", "image/jpeg")], Self.picture(120, 90))
            case "grey": reply.answer(200, [], Self.picture(120, 90))
            case "html": reply.answer(200, [("Content-Type", "image/jpeg")], "<!DOCTYPE html><p>no")
            case "cut": reply.answer(200, [], Array(Self.picture(640, 480).dropLast()))
            case "bomb": reply.answer(200, [], Self.picture(60_000, 60_000))
            case "huge": reply.answer(200, [], [UInt8](repeating: 0x47, count: 9 << 20))
            case "gone": reply.reset()
            case "busy": reply.answer(503, [("Retry-After", "1")], "later")
            case "avif.avif": reply.answer(200, [], PictureBytes.avif(640, 360))
            case "tall": reply.answer(200, [], PictureBytes.png(360, 640))
            default: reply.answer(200, [("Content-Type", "text/html")], Self.picture(320, 180))
            }
            return true
        }
    }

    private func run(_ desk: OriginDesk, _ sizes: [(String, Int)], _ code: String, _ flags: [String] = []) throws
        -> Program.Run
    {
        let pictures = sizes.map { name, width in
            "\(name) = {url = 'http://127.0.0.1:\(desk.server.port)/p/\(name)', width = \(width), height = \(width * 9 / 16)}"
        }
        try desk.scratch.file(
            "t.lua",
            """
            local v = yt.video{provider = "x", id = "1", title = "T", thumbnails = {\(pictures.joined(separator: ", "))}}
            \(code)
            """)
        return try desk.run(["run", "./t.lua", "--allow", desk.place] + flags)
    }

    @Test("the next size is taken where one is missing, grey, broken or no picture, and none is asked for twice")
    func chain() throws {
        let asked = Monitor<[String]>([])
        let desk = try desk(asked)
        let sizes = [
            ("gone", 2000), ("missing", 1900), ("grey", 1800), ("html", 1700), ("cut", 1600), ("bomb", 1500),
            ("busy", 1400), ("good", 400),
        ]
        let run = try run(
            desk, sizes,
            """
            local t = yt.thumbnail(v)
            print(t.name, t.width, t.kind)
            local bytes, kind = t:bytes()
            print(#bytes, kind, t.name, t.width, t.height, t.kind)
            print(t:data_uri())
            """)
        #expect(
            run.lines == [
                "gone\t2000\tnil", "14\tgif\tgood\t320\t180\tgif", "data:image/gif;base64,R0lGODlhQAG0AAAAADs=",
            ], "\(run.errors)")
        #expect(asked.withLock { $0 } == ["gone", "missing", "grey", "html", "cut", "bomb", "busy", "good"])
    }

    @Test("where no size can be had, the reason says what became of each")
    func none() throws {
        let asked = Monitor<[String]>([])
        let run = try run(
            desk(asked), [("missing", 1900), ("huge", 1800), ("html", 1700)], "print(yt.thumbnail(v):bytes())")
        #expect(run.code == 0 && run.output.hasPrefix("nil\tthere is no picture: missing: status 404; huge: "))
        #expect(run.output.contains("html: it is no picture but text such as HTML"), "\(run.output)\(run.errors)")
    }

    @Test("no other kind and shape is taken than is asked for, whatever the address says")
    func kinds() throws {
        let asked = Monitor<[String]>([])
        let run = try run(
            desk(asked), [("tall", 360), ("good", 320)],
            """
            v.thumbnails = {
              a = {url = v.thumbnails.tall.url}, b = {url = v.thumbnails.good.url},
              c = {url = (v.thumbnails.good.url:gsub("good", "avif.avif")), width = 640, height = 360},
            }
            local function try(options)
              local t, why = yt.thumbnail(v, options)
              if not t then return print(why) end
              local bytes, kind = t:bytes()
              print(bytes and t.width .. "x" .. t.height or bytes, kind)
            end
            try{format = "avif"}
            try{format = "webp", timeout = 5}
            try{aspect = "9:16"}
            try{aspect = "16:9", format = "gif"}
            try{aspect = "1:1"}
            print(pcall(yt.thumbnail, v, {aspect = "wide"}))
            print(yt.thumbnail("dQw4w9WgXcQ", {aspect = "9:16"}))
            """)
        #expect(
            run.lines.dropLast(2) == [
                "640x360\tavif", "nil\tthere is no picture: a: png, not webp; b: gif, not webp", "360x640\tpng",
                "320x180\tgif", "nil\tthere is no picture: a: 360x640, not 1:1; b: 320x180, not 1:1",
            ], "\(run.errors)\(run.output)")
        #expect(run.lines.dropLast().last?.contains("aspect is written 16:9") == true)
        #expect(run.lines.last == "nil\tno picture of it is known that may be 9:16")
        #expect(asked.withLock { $0.filter { $0 == "avif.avif" }.count } == 1)
    }

    @Test("a picture is chosen by size, and several are fetched at the same time")
    func choice() throws {
        let asked = Monitor<[String]>([])
        let desk = try desk(asked)
        let run = try run(
            desk, [("small", 200), ("middle", 480), ("large", 1280)],
            """
            print(yt.thumbnail(v, {width = 300}).name, yt.thumbnail(v, {width = 2000}).name, yt.thumbnail(v).name)
            print(yt.thumbnail("https://youtu.be/dQw4w9WgXcQ", {width = 300}).url)
            print(yt.thumbnail("dQw4w9WgXcQ", {width = 500, format = "webp"}).url)
            print(yt.thumbnail("https://vimeo.com/1"))
            local got = yt.map({200, 400, 900}, function(w) return yt.thumbnail(v, {width = w}):save("p" .. w .. ".gif") end)
            for _, one in ipairs(got) do print(one.ok, one.value, one.error) end
            """, ["--allow", "write:\(desk.scratch.folder.path)"])
        #expect(
            run.lines == [
                "middle\tlarge\tlarge", "https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg",
                "https://i.ytimg.com/vi_webp/dQw4w9WgXcQ/sddefault.webp", "nil\tno picture is known of it",
                "true\ttrue\tnil", "true\ttrue\tnil", "true\ttrue\tnil",
            ], "\(run.errors)")
        #expect(asked.withLock { $0.sorted() } == ["large", "middle", "small"])
        for name in ["p200.gif", "p400.gif", "p900.gif"] {
            #expect(try Data(contentsOf: desk.scratch.folder.appending(path: name)) == Data(Self.picture(320, 180)))
        }
    }

    @Test("pictures of other hosts than the services' need the grant net, and a file the grant write")
    func grants() throws {
        let desk = try desk(Monitor([]))
        try desk.scratch.file(
            "g.lua",
            """
            local v = yt.video{provider = "x", id = "1", thumbnails = {a = {url = "http://127.0.0.1:\(desk.server.port)/p/a", width = 9}}}
            print(pcall(function() return yt.thumbnail(v):bytes() end))
            """)
        let run = try desk.run(["run", "./g.lua"])
        #expect(run.output.hasPrefix("false") && run.output.contains("no grant 'net:127.0.0.1:"), "\(run.output)")
        // The services' own hosts do not: nothing is sent here, and nothing is kept.
        try desk.scratch.file("s.lua", "print(yt.thumbnail('dQw4w9WgXcQ', {width = 100}):bytes())")
        let own = try desk.run(["run", "./s.lua", "--offline"])
        #expect(
            own.output.hasPrefix(
                "nil\tthere is no picture: default, medium, high, standard, maxres, hq720: nothing may be sent"),
            "\(own.output)\(own.errors)"
        )
    }
}
