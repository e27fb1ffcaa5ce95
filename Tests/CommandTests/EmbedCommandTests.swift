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
            (["dQw4w9WgXcQ", "--player", "rel=0,rel=1"], "'rel' is said twice"),
            (["dQw4w9WgXcQ", "--player", "rel=0", "--player", "rel=1"], "'rel' is said twice"),
            (["dQw4w9WgXcQ", "--player", "=1"], "written NAME=VALUE"),
            (["dQw4w9WgXcQ", "--facade", "--picture", "http://a.example/a.jpg"], "is no address of https"),
            (["dQw4w9WgXcQ", "--facade", "--picture", "javascript:alert(1)"], "is no address of https"),
            (["dQw4w9WgXcQ", "--facade", "--picture", "data:image/svg+xml;base64,AA=="], "is no address of https"),
            (["https://youtu.be/dQw4w9WgXcQ?t=90", "--player", "end=30"], "it would stop at 30 s and begin at 90 s"),
            (["https://www.youtube.com/embed/dQw4w9WgXcQ?start=90&end=30"], "its address: it would stop at 30 s"),
            (["https://www.youtube.com/user/someone", "--live"], "and this is a user's name"),
            (["dQw4w9WgXcQ", "--live"], "and this is a video of youtube"),
            (["https://vimeo.com/76979871", "--live"], "and this is a video of vimeo"),
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

    @Test("parameters of run embed are read as those of embed are, and what no player takes is a usage error")
    func parameters() throws {
        let lines =
            #"{"ythost":1,"provider":"youtube","id":"dQw4w9WgXcQ"}"# + "\n"
            + #"{"ythost":1,"provider":"vimeo","url":"https://vimeo.com/76979871"}"# + "\n"
        func run(_ parameters: String) throws -> Program.Run {
            try Command.run(["run", "embed", "-", "--player", parameters], input: lines)
        }
        let both = try run("youtube.playlist=aaaaaaaaaaa,bbbbbbbbbbb,autoplay=1")
        #expect(both.code == 0 && both.output.contains("playlist=aaaaaaaaaaa%2Cbbbbbbbbbbb\""), "\(both.errors)")
        for (parameters, told) in [
            ("fs", "'fs' is no parameter; they are written NAME=VALUE"), ("youtube.rel=0,x", "'rel' takes"),
            (
                "rel=0",
                "the player of vimeo takes no 'rel'; of several services' videos, youtube.rel is for that player"
            ),
            ("start=1,start=2", "'start' is said twice"), ("autplay=1", "did you mean 'autoplay'?"),
        ] {
            let run = try run(parameters)
            #expect(run.code == 2 && run.errors.contains(told), "\(run.errors)")
            #expect(!run.errors.contains("embed.lua") && !run.errors.contains("| "), "\(run.errors)")
        }
    }

    @Test(
        "a video of YouTube that does not play on other pages is a link that says why, from what the service says of it",
        arguments: [
            (
                #""status":{"embeddable":false,"privacyStatus":"public","uploadStatus":"processed"}"#,
                "the service's own page only"
            ),
            (#""status":{"embeddable":true,"privacyStatus":"private","uploadStatus":"processed"}"#, "It is private"),
            (#""status":{"embeddable":true,"privacyStatus":"public","uploadStatus":"deleted"}"#, "It was deleted"),
            (#""status":{"uploadStatus":"rejected","rejectionReason":"copyright"}"#, "took it down"),
            (#""status":{"uploadStatus":"failed","failureReason":"codec"}"#, "its upload failed"),
            (#""contentDetails":{"regionRestriction":{"allowed":[]}}"#, "It plays in no country"),
            (#""contentDetails":{"contentRating":{"ytRating":"ytAgeRestricted"}}"#, "It is for adults"),
            // Where it plays is for the player to say.
            (#""contentDetails":{"regionRestriction":{"blocked":["DE"]}}"#, ""),
        ])
    func reasons(part: String, reason: String) throws {
        let reply =
            #"{"kind":"youtube#videoListResponse","items":[{"kind":"youtube#video","id":"dQw4w9WgXcQ",\#(part)}]}"#
        // What is known of it is known behind a pipe, too.
        let piped = try Command.run(["run", "jsonl", "-"], input: reply).output
        #expect(piped.hasPrefix("{"))
        for (facade, input) in [([], reply), (["--facade"], reply), ([], piped), (["--facade"], piped)] {
            let run = try Command.run(["run", "embed", "-"] + facade, input: input)
            #expect(run.code == 0, "\(run.errors)")
            guard !reason.isEmpty else {
                #expect(run.output.contains("youtube-nocookie.com/embed/dQw4w9WgXcQ"))
                continue
            }
            #expect(
                run.output.contains(reason.replacing("'", with: "&#39;")) || run.output.contains(reason),
                "\(run.output)")
            #expect(run.output.contains("href=\"https://www.youtube.com/watch?v=dQw4w9WgXcQ\""))
            #expect(!run.output.contains("/embed/"))
        }
    }

    @Test(
        "lists, uploads and a channel's broadcast have players of their own",
        arguments: [
            (
                ["https://www.youtube.com/playlist?list=PLabcdefghijklmnop"],
                "/embed/videoseries?list=PLabcdefghijklmnop"
            ),
            (["https://www.youtube.com/user/someone"], "/embed?list=someone&amp;listType=user_uploads"),
            (["UC0123456789abcdefghijkl"], "/embed/videoseries?list=UU0123456789abcdefghijkl"),
            (["UC0123456789abcdefghijkl", "--live"], "/embed/live_stream?channel=UC0123456789abcdefghijkl"),
            (
                ["https://www.youtube.com/embed/live_stream?channel=UC0123456789abcdefghijkl"],
                "/embed/live_stream?channel=UC0123456789abcdefghijkl"
            ),
            (["https://vimeo.com/showcase/1234567"], "https://vimeo.com/showcase/1234567/embed"),
        ])
    func lists(words: [String], address: String) throws {
        let run = try Command.run(["embed"] + words)
        #expect(run.code == 0 && run.output.contains(address), "\(run.output)\(run.errors)")
        #expect(run.output.contains("referrerpolicy=\"strict-origin-when-cross-origin\""))
    }
}
