// `embed` and `run embed` from the command line: markup for addresses, and for what was found.

import Foundation
import Testing

@Suite struct EmbedCommandTests {
    @Test("embed prints an element an address")
    func prints() throws {
        let run = try Command.run([
            "embed", "https://youtu.be/dQw4w9WgXcQ?t=90", "https://vimeo.com/76979871/8272103f6e", "--player",
            "autoplay=1,youtube.rel=0", "--player=youtube.playlist=jNQXAC9IVRw,aqz-KE-bpKQ", "--title", "Two <b>", "-v",
        ])
        #expect(run.code == 0 && run.lines.count == 2, "\(run.errors)")
        #expect(
            run.lines[0].contains(
                "youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&amp;mute=1"
                    + "&amp;playlist=jNQXAC9IVRw%2Caqz-KE-bpKQ&amp;rel=0&amp;start=90\""))
        #expect(run.lines[1].contains("76979871?autoplay=1&amp;dnt=1&amp;h=8272103f6e&amp;muted=1\""))
        #expect(run.lines.allSatisfy { $0.contains("title=\"Two &lt;b&gt;\"") && $0.contains("referrerpolicy=") })
        let hyphen = try Command.run(["embed", "--fixed", "--", "-abcdefghij"])
        #expect(hyphen.code == 0 && hyphen.output.contains("/embed/-abcdefghij\""))
    }

    @Test(
        "what has no player, and what no player takes, is a usage error that says what to do",
        arguments: [
            ([], "needs an address"), (["https://evil.example/embed/dQw4w9WgXcQ"], "not a known video service"),
            (["dQw4w9WgXcQ", "--player", "start=90,end=60"], "it would stop at 60 s and begin at 90 s"),
            (["dQw4w9WgXcQ", "--player", "modestbranding=1"], "does nothing"),
            (["dQw4w9WgXcQ", "--player", "autoplya=1"], "did you mean 'autoplay'?"),
            (["dQw4w9WgXcQ", "--player", "rel"], "written NAME=VALUE"),
            (["dQw4w9WgXcQ", "--width", "10"], "200 to 7680"),
            (["dQw4w9WgXcQ", "--facad"], "did you mean '--facade'?"), (["dQw4w9WgXcQ", "--player"], "needs a value"),
            (["dQw4w9WgXcQ", "--facade=1"], "takes no value"),
        ] as [([String], String)])
    func refused(arguments: [String], error: String) throws {
        let run = try Command.run(["embed"] + arguments)
        #expect(run.code == 2 && run.output == "" && run.errors.contains(error), "\(run.errors)")
    }

    @Test("run embed writes players of what was found, and a link with the reason where there is none")
    func found() throws {
        let lines = [
            #"{"provider":"youtube","id":"dQw4w9WgXcQ","title":"A","embeddable":true}"#,
            #"{"provider":"youtube","id":"jNQXAC9IVRw","title":"<i>B","embeddable":false}"#,
            #"{"provider":"vimeo","url":"https://vimeo.com/76979871","title":"C"}"#,
        ].map { "\($0)\n" }.joined()
        let run = try Command.run(
            ["run", "embed", "-", "--as", "ythost", "--player", "youtube.rel=0", "--facade"], input: lines)
        #expect(run.code == 0 && run.lines.count == 3, "\(run.errors)")
        #expect(run.lines[0].contains("<template>") && run.lines[0].contains("?autoplay=1&amp;rel=0"))
        #expect(run.lines[1].contains("&lt;i&gt;B") && run.lines[1].contains("on the service&#39;s own page only"))
        #expect(run.lines[2].contains("player.vimeo.com"))
    }
}
