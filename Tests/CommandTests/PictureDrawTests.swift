// Pictures in terminals: what the decoder makes of good and bad ones, in a process that is shut in, and how they are drawn
// by what the terminal can.

import Foundation
import TestSupport
import Testing

@Suite struct PictureDrawTests {
    /// What the program says that decodes: its first line, and the pixels.
    private func decode(_ bytes: [UInt8], _ width: Int = 100, _ height: Int = 100) throws -> (String, [UInt8], Int32) {
        let run = try Command.run(["--decode-picture", "\(width)", "\(height)"], input: .bytes(Data(bytes)))
        let head = run.data.prefix { $0 != 0x0A }
        return (String(decoding: head, as: UTF8.self), Array(run.data.dropFirst(head.count + 1)), run.code)
    }

    private static func isNear(_ pixel: ArraySlice<UInt8>, _ wanted: [Int]) -> Bool {
        zip(pixel, wanted).allSatisfy { abs(Int($0) - $1) < 40 }
    }

    @Test("each kind is decoded, of what moves the first frame", arguments: PictureSamples.all.map(\.0))
    func kinds(name: String) throws {
        let bytes = try #require(PictureSamples.all.first { $0.0 == name }?.1)
        let (head, pixels, code) = try decode(bytes)
        try #require(code == 0 && head == "pixels 16 8" && pixels.count == 16 * 8 * 4, "\(head)")
        for row in 0..<8 {
            #expect(Self.isNear(pixels[(row * 16 + 1) * 4..<(row * 16 + 2) * 4], [255, 0, 0, 255]))
            #expect(Self.isNear(pixels[(row * 16 + 14) * 4..<(row * 16 + 15) * 4], [0, 0, 255, 255]))
        }
        // Made smaller, in its own shape, and never larger.
        let (small, few, _) = try decode(bytes, 4, 100)
        #expect(small == "pixels 4 2" && Self.isNear(few[0..<4], [255, 0, 0, 255]) && few.count == 32)
        #expect(Self.isNear(few[28..<32], [0, 0, 255, 255]))
        #expect(try decode(bytes, 1, 1).0 == "pixels 1 1")
    }

    @Test("a bomb, a picture of 50 megapixels and one that is cut off are refused; what is damaged ends in a word")
    func hostile() throws {
        #expect(try decode(PictureBytes.png(10_000, 5_000)).0.hasPrefix("no it has 10000x5000 pixels"))
        #expect(try decode(PictureBytes.gif(60_000, 60_000)).0.hasPrefix("no it has 60000x60000 pixels"))
        #expect(try decode(Array("<!DOCTYPE html><p>".utf8)).0 == "no it is no picture but text such as HTML or SVG")
        #expect(try decode([]).0 == "no it is empty")
        #expect(try decode(PictureBytes.avif(640, 360)).0 == "no pictures of AVIF can be saved, and not shown")
        // As large as one may be, with nothing behind it.
        #expect(try decode(PictureBytes.png(8_000, 5_000)).0 == "no it is damaged")
        #expect(try decode(PictureBytes.gif(6_000, 6_000)).0 == "no it is damaged")
        for (name, bytes) in PictureSamples.all {
            #expect(try decode(Array(bytes.dropLast(9))).0.hasPrefix("no "), "\(name)")
        }
        // A head that says less than what follows: WebP's canvas is not its frame.
        var liar = PictureSamples.movingWebP
        liar.replaceSubrange(24..<30, with: [0, 0, 0, 0, 0, 0])
        #expect(try decode(liar).0.hasPrefix("pixels") || decode(liar).0.hasPrefix("no "))
    }

    @Test("whatever is broken in a picture, the decoder says a word or ends, and nothing else")
    func fuzz() throws {
        var random = Fuzz.Random()
        for (name, bytes) in PictureSamples.all {
            for _ in 0..<12 {
                var broken = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let (head, pixels, code) = try decode(broken)
                if code != 0 { continue }
                let words = head.split(separator: " ")
                #expect(
                    words.first == "no"
                        || words.count == 3 && pixels.count == (Int(words[1]) ?? 0) * (Int(words[2]) ?? 0) * 4,
                    "\(name): \(head)")
            }
        }
    }

    @Test(
        "once a picture is looked at no file can be opened",
        .enabled(if: Tracer.works, "strace is not installed, or may not trace"))
    func shutIn() throws {
        let scratch = try Scratch()
        let trace = scratch.path("trace")
        let run = try Program(
            Tracer.path, ["-f", "-o", trace, Command.binary, "--decode-picture", "9", "9"]
        ).run(input: .bytes(Data(PictureSamples.jpeg)))
        #expect(run.output.hasPrefix("pixels 9 4\n"))
        let lines = try scratch.text("trace").split(separator: "\n")
        let shut = try #require(lines.firstIndex { $0.contains("PR_SET_SECCOMP") || $0.contains("seccomp(") })
        #expect(lines[..<shut].contains { $0.contains("landlock_restrict_self") })
        #expect(lines[shut...].count > 2 && !lines[shut...].contains { $0.contains("openat(") && !$0.contains("= -1") })
    }

    // MARK: drawing

    private func desk() throws -> OriginDesk {
        try OriginDesk { request, reply in
            guard request.target.hasPrefix("/p/") else { return false }
            let name = request.target.dropFirst(3).replacing("-", with: " ")
            let sample = PictureSamples.all.first { $0.0 == name }?.1
            reply.answer(200, [("Content-Type", "image/x")], sample ?? PictureBytes.avif(64, 36))
            return true
        }
    }

    private func address(_ desk: OriginDesk, _ name: String) -> String {
        "http://127.0.0.1:\(desk.server.port)/p/\(name)"
    }

    @Test("symbols are chosen, coloured or not, and are within the columns")
    func symbols() throws {
        let desk = try desk()
        let plain = try desk.run(["thumbnail", address(desk, "png"), "--symbols", "ascii"])
        #expect(
            plain.code == 0 && plain.data.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }, "\(plain.errors)")
        let coloured = try desk.run(["thumbnail", address(desk, "png"), "--symbols", "half", "--color", "always"])
        #expect(
            coloured.output.contains("\u{1B}[") && coloured.output.contains("196")
                && (2...8).contains(coloured.lines.count))
        let two = try desk.run(["thumbnail", address(desk, "png"), address(desk, "x"), "--symbols", "half"])
        #expect(two.code == 4 && two.lines.first == address(desk, "png"))
        #expect(two.errors.contains("the picture cannot be shown: pictures of AVIF can be saved, and not shown"))
        let unknown = try desk.run(["thumbnail", address(desk, "png"), "--symbols", "nonsense"])
        #expect(unknown.code == 2 && unknown.errors.contains("there are no symbols 'nonsense'"))
    }

    @Test(
        "without colours brightness is told by how much of a cell is filled, and is that which people see",
        arguments: ["ascii", "braille", nil])
    func shades(symbols: String?) throws {
        let width = 256
        let desk = try OriginDesk { request, reply in
            switch request.target {
            case "/p/ramp": reply.answer(200, [], PictureBytes.bitmap(width, 64) { x, _ in (x, x, x) })
            case "/p/parts":
                // Green is bright, red less so, blue nearly dark.
                let parts = [(0, 0, 0), (0, 0, 255), (255, 0, 0), (0, 255, 0), (255, 255, 255)]
                reply.answer(200, [], PictureBytes.bitmap(width, 64) { x, _ in parts[x * 5 / width] })
            default: return false
            }
            return true
        }
        // How much ink each fifth of the lines has, from 0 to 1.
        func ink(_ name: String) throws -> [Double] {
            let run = try desk.run(
                ["thumbnail", address(desk, name), "--color", "never"]
                    + (symbols.map { ["--symbols", $0] } ?? ["--graphics", "symbols"]), ["COLUMNS": "40"])
            try #require(run.code == 0, "\(run.errors)")
            var sums = [Double](repeating: 0, count: 5)
            for line in run.lines {
                for (place, character) in line.unicodeScalars.enumerated() {
                    let dots = character.value >= 0x2800 ? Double((character.value & 0xFF).nonzeroBitCount) / 8 : nil
                    let rough = " .,'`-~^_:;".unicodeScalars.contains(character) ? 0.15 : 0.7
                    let full = "@$#%&MW".unicodeScalars.contains(character) ? 1 : character == " " ? 0 : rough
                    sums[min(4, place / 8)] += (dots ?? full) / 8 / Double(run.lines.count)
                }
            }
            return sums
        }
        let ramp = try ink("ramp")
        #expect(ramp[0] < 0.25 && ramp[4] > 0.75, "\(ramp)")
        // Dots can be counted; of letters it is an estimate.
        #expect(symbols == "ascii" || (0.4...0.6).contains(ramp[2]), "\(ramp)")
        #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 < $1 }, "\(ramp)")
        let parts = try ink("parts")
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0 < $1 }, "\(parts)")
        #expect(parts[0] < 0.05 && (0.35...0.9).contains(parts[3]), "\(parts)")
    }

    @Test("sixel and kitty send pixels")
    func pixels() throws {
        let desk = try desk()
        let kitty = try desk.run(["thumbnail", address(desk, "webp"), "--graphics", "kitty"])
        #expect(kitty.code == 0 && kitty.output.hasPrefix("\u{1B}_Ga=T,f=32,s="), "\(kitty.errors)")
        let sixel = try desk.run(["thumbnail", address(desk, "webp"), "--graphics", "sixel"])
        #expect(sixel.code == 0 && sixel.output.hasPrefix("\u{1B}P") && sixel.output.hasSuffix("\u{1B}\\\n"))
        #expect(try desk.run(["thumbnail", address(desk, "webp"), "--graphics", "braille"]).code == 2)
    }

    @Test(
        "a terminal gets what it says it can show",
        .enabled(if: Judge.find("script") != nil, "script of util-linux is not installed"),
        arguments: [
            ("TERM=xterm-kitty", "\u{1B}_G"), ("TERM=foot", "\u{1B}P"),
            ("TERM=tmux-256color TERM_PROGRAM=WezTerm", "[38;5;"),
            ("TERM=xterm-256color COLORTERM=truecolor", "[38;2;"), ("TERM=xterm-256color NO_COLOR=1", ""),
            ("TERM=dumb", ""), ("TERM=vt100", ""),
        ])
    func terminals(environment: String, holds: String) throws {
        let desk = try desk()
        let command =
            "stty cols 12 rows 12; env \(environment) '\(Command.binary)' thumbnail '\(address(desk, "gif"))' --symbols=half"
        let shown = environment.contains("kitty") || environment.contains("foot") || environment.contains("dumb")
        let run = try Program(
            try #require(Judge.find("script")),
            ["-qec", shown ? command.replacing(" --symbols=half", with: "") : command, desk.scratch.path("typed")],
            environment: ["HOME": desk.scratch.path("home")]
        ).run()
        #expect(run.code == 0, "\(run.output)")
        if holds.isEmpty {
            #expect(!run.output.contains("\u{1B}"))
        } else {
            #expect(run.output.contains(holds), "\(run.output.debugDescription.prefix(300))")
        }
        if !holds.hasPrefix("\u{1B}") {
            let widths = run.lines.map { line in
                line.replacing("\r", with: "").replacing(/\u{1B}\[[0-9;?]*[a-zA-Z]/, with: "").count
            }
            #expect(widths.max() == 12 && (3...10).contains(widths.count), "\(widths)")
        }
    }

    @Test("plugins draw pictures as text, several at the same time, in colours where the output has some")
    func lua() throws {
        let desk = try desk()
        try desk.scratch.file(
            "a.lua",
            """
            local base = "\(address(desk, ""))"
            local function picture(name) return yt.thumbnail(yt.video{provider = "x", id = "1", thumbnails = {a = {url = base .. name}}}) end
            local text = picture("png"):ansi{width = 8, symbols = "half"}
            print(select(2, text:gsub("\\n", "")) + 1, (text:find("\\27")))
            local coloured = picture("png"):ansi{width = 8, height = 9, symbols = "half", colors = "all"}
            print((coloured:find("\\27[38;2;255;0;0", 1, true)) ~= nil)
            local got = yt.map({"png", "gif", "webp", "jpeg"}, function(name) return picture(name):ansi{width = 6, symbols = "ascii"} end)
            for _, one in ipairs(got) do print(one.ok, #one.value) end
            print(picture("x"):ansi())
            print(pcall(function() return picture("png"):ansi{symbols = "nonsense"} end))
            print(pcall(function() return picture("png"):ansi{width = 0} end))
            """)
        let run = try desk.run(["run", "./a.lua", "--allow", desk.place])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.lines.prefix(7) == [
                "2\tnil", "true", "true\t6", "true\t6", "true\t6", "true\t6",
                "nil\tpictures of AVIF can be saved, and not shown",
            ], "\(run.output)")
        #expect(run.lines.dropFirst(7).first?.contains("there are no symbols 'nonsense'") == true)
        #expect(run.lines.last?.contains("width") == true)
    }
}
