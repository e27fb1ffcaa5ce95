// `play --serve`: the browser that is opened, and ports that cannot be had.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct PlayServeTests {
    /// A folder for PATH with a browser in it, of which this is the text.
    private func browser(_ scratch: Scratch, _ text: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: scratch.path("bin"), withIntermediateDirectories: true)
        let path = try scratch.file("bin/xdg-open", "#!/bin/sh\n\(text)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return scratch.path("bin") + ":/usr/bin:/bin"
    }

    @Test(
        "--open gives the browser the address, the page is there, and closing it ends the command",
        .enabled(if: Judge.python != nil))
    func opens() throws {
        let scratch = try Scratch()
        // It looks at the page and closes it, as a browser and a person would.
        let path = try browser(
            scratch,
            """
            echo "$#" "$1" > '\(scratch.path("asked"))'
            exec \(Judge.python ?? "python3") - "$1" > '\(scratch.path("seen"))' 2>&1 <<'END'
            import sys, urllib.request
            address = sys.argv[1]
            print(urllib.request.urlopen(address, timeout=5).read().decode()[:15])
            close = urllib.request.Request(address + "close", data=b"", headers={"Origin": address[:-1]})
            print(urllib.request.urlopen(close, timeout=5).status)
            END
            """)
        let run = try Command.run(
            ["play", "programming", "--serve", "--open"],
            environment: ["PATH": path, "HOME": scratch.path("home"), "no_proxy": "127.0.0.1"], timeout: 20)
        #expect(run.code == 0, "\(run.errors)")
        let address = run.lines.first ?? ""
        #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/"))
        #expect(try scratch.text("asked") == "1 \(address)\n")
        // The browser lives on, and may write its last line after the command has ended.
        let end = ContinuousClock.now + .seconds(5)
        while try scratch.text("seen").contains("204") == false, ContinuousClock.now < end { usleep(20_000) }
        #expect(try scratch.text("seen") == "<!DOCTYPE html>\n204\n")
    }

    @Test("without a browser on PATH, --open says so before anything is searched")
    func nobody() throws {
        let scratch = try Scratch()
        let run = try Command.run(
            ["play", "programming", "--serve", "--open"],
            environment: ["PATH": scratch.path("empty"), "HOME": scratch.path("home")])
        #expect(run.code == 2 && run.errors.contains("there is no program 'xdg-open' on PATH") && run.output.isEmpty)
    }

    @Test("a port that is in use is told before anything is searched, and what to do")
    func taken() throws {
        let scratch = try Scratch()
        let server = LoopbackServer { _, reply in reply.answer(404) }
        defer { server.stop() }
        let run = try Command.run(
            ["play", "programming", "--serve", "--port", "\(server.port)"], environment: ["HOME": scratch.path("home")])
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors.contains("port \(server.port) of this machine cannot be had: Address already in use"))
        #expect(
            run.errors.contains("--port N takes another") && !run.errors.contains("sample library"), "\(run.errors)")
    }
}
