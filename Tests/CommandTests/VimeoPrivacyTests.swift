// What a plugin without the grant `account:vimeo` is told with a person's token: what everybody may see, and nothing where
// that cannot be told. And names that look like ids of another service's.

import Foundation
import TestSupport
import Testing

@Suite struct VimeoPrivacyTests {
    @Test("the record of a list that is not everybody's is none for a plugin without the grant")
    func records() throws {
        let desk = try VimeoDesk()
        let script = """
            for _, ref in ipairs{"users/1/albums/77", "albums/77", "groups/closed", "users/1/albums/5", "tags/lua",
              "categories/animation"} do
              local list, why = yt.playlist(ref, {source = "vimeo"})
              print(ref, list and list.title or why)
            end
            """
        #expect(
            try desk.script(script).lines == [
                "users/1/albums/77\tvimeo has no playlist 'users/1/albums/77'",
                "albums/77\tvimeo has no playlist 'albums/77'", "groups/closed\tvimeo has no playlist 'groups/closed'",
                "users/1/albums/5\tA list", "tags/lua\tA list", "categories/animation\tA list",
            ])
        let given = try desk.script(script, ["--allow", "account:vimeo"])
        #expect(given.lines.count == 6 && given.lines.allSatisfy { $0.hasSuffix("\tA list") }, "\(given.errors)")
    }

    @Test(
        "what is in a list that is not everybody's is not told either, by whatever name it is asked for",
        arguments: [
            ("playlist", "users/1/albums/77", "Vimeo has no such list"), ("playlist", "albums/77", "no such list"),
            ("playlist", "groups/closed", "no such list"), ("channel", "albums/77", "no such list"),
            ("playlist", "users/1/watchlater", "account:vimeo"), ("playlist", "users/me/watchlater", "account:vimeo"),
            ("playlist", "users/me/likes", "account:vimeo"), ("playlist", "users/me/albums/5", "account:vimeo"),
            ("playlist", "users/ME/albums/5", "account:vimeo"), ("channel", "users/me", "account:vimeo"),
            ("channel", "Me", "account:vimeo"),
        ])
    func items(kind: String, id: String, words: String) throws {
        let desk = try VimeoDesk()
        let method = kind == "channel" ? "uploads" : "items"
        let script = """
            for v in yt.video{provider = "vimeo", kind = "\(kind)", id = "\(id)"}:\(method){max = 3} do print(v.id) end
            """
        let run = try desk.script(script)
        #expect(run.code != 0 && run.lines.isEmpty && run.errors.contains(words), "\(run.errors)")
        #expect(!desk.server.calls.contains { $0.path.hasSuffix("/videos") || $0.path.hasSuffix("/watchlater") })
        #expect(run.code == 6 || !words.contains("account"))
        if words.contains("account") { #expect(desk.server.calls.isEmpty) }
    }

    @Test("a search within a list asks whether that is everybody's first, once for all its pages")
    func search() throws {
        let desk = try VimeoDesk()
        let script = #"print(yt.search("x", {source = "vimeo", channel = "%", max = 60}):count())"#
        func run(_ place: String, _ flags: [String] = []) throws -> Program.Run {
            try desk.script(script.replacingOccurrences(of: "%", with: place), flags)
        }
        #expect(try run("albums/77").errors.contains("Vimeo has no such list"))
        #expect(try run("users/1/watchlater").code == 6)
        desk.server.forget()
        #expect(try run("albums/5").lines == ["60"])
        #expect(desk.server.calls.map(\.path) == ["/albums/5", "/albums/5/videos", "/albums/5/videos"])
        #expect(try run("albums/77", ["--allow", "account:vimeo"]).lines == ["60"])
    }

    @Test(
        "a mark that nobody can read is that of something private",
        arguments: [
            #","privacy":{"view":null}"#, #","privacy":{"view":["anybody"]}"#, #","privacy":{"view":true}"#,
            #","privacy":{"view":"friends"}"#, #","privacy":{}"#, #","privacy":null"#, #","privacy":"anybody""#, "",
        ])
    func marks(privacy: String) throws {
        let desk = try VimeoDesk()
        let rows = #"{"uri":"/videos/5","name":"T"\#(privacy)},"odd",{"name":"no uri"}"#
        desk.server.answer("/videos", .init(200, #"{"total":3,"paging":{},"data":[\#(rows)]}"#))
        desk.server.answer("/albums/5", .init(200, #"{"uri":"/albums/5","name":"L"\#(privacy)}"#))
        let run = try desk.script(
            """
            local found = yt.search("x", {source = "vimeo"})
            print(found:count(), found.info.total, found.info.estimate)
            print(yt.playlist("albums/5", {source = "vimeo"}))
            """)
        #expect(run.lines == ["0\tnil\tnil", "nil\tvimeo has no playlist 'albums/5'"], "\(run.errors)")
    }

    @Test("a page that cannot be looked through is not told")
    func unreadable() throws {
        let desk = try VimeoDesk()
        // Read leniently it would be a page.
        desk.server.answer("/albums/5", .init(200, "{\"uri\":\"/albums/5\",\"name\":\"L\",}"))
        let run = try desk.script(#"print(yt.playlist("albums/5", {source = "vimeo"}))"#)
        #expect(run.code == 4 && run.lines.isEmpty && run.errors.contains("cannot be read"), "\(run.errors)")
    }

    @Test(
        "a source that is named decides what a bare word means; only addresses name their own",
        arguments: [
            ("channel:blackmagicd", "/users/blackmagicd/videos"), ("channel:@ann", "/users/ann/videos"),
            ("playlist:staffpicks1", "/channels/staffpicks1/videos"),
            ("playlist:PLstaffpicksstaffpicksstaffpicks12", "/channels/PLstaffpicksstaffpicksstaffpicks12/videos"),
            ("playlist:UCstaffpicksstaffpicks12", "/channels/UCstaffpicksstaffpicks12/videos"),
        ])
    func names(origin: String, path: String) throws {
        let desk = try VimeoDesk()
        let run = try desk.run(["run", "ids", "--from", origin, "--source", "vimeo", "--fetch", "3"])
        #expect(run.code == 0 && run.lines.count == 3, "\(run.errors)")
        #expect(desk.server.calls.map(\.path) == [path])
    }

    @Test("such names are taken by searches and plugins, too, and an address of another service is not")
    func moreNames() throws {
        let desk = try VimeoDesk()
        let search = try desk.run(
            ["search", "x", "--source", "vimeo", "--channel", "blackmagicd", "--fetch", "1", "--print", "{id}"])
        #expect(search.lines.count == 1 && desk.server.calls.map(\.path) == ["/users/blackmagicd/videos"])
        let script = try desk.script(
            """
            print(yt.channel("blackmagicd", {source = "vimeo"}).title, yt.channel("@ann", {source = "vimeo"}).title)
            print(yt.channel("UCblackmagicdesigninc123", {source = "vimeo"}))
            print(yt.playlist("staffpicks1", {source = "vimeo"}).title)
            print(yt.channel("https://www.youtube.com/@ann", {source = "vimeo"}))
            """)
        #expect(
            script.lines == [
                "Ann\tAnn", "nil\tvimeo has no channel 'UCblackmagicdesigninc123'", "A list",
                "nil\t'https://www.youtube.com/@ann' cannot be looked up: it is at youtube",
            ], "\(script.errors)")
    }
}
