// What a plugin without the grant `account:vimeo` gets with a person's token of what everybody may see: nothing beside
// that, no counts, and unlisted videos for their hashes alone.

import Foundation
import TestSupport
import Testing

@Suite struct VimeoCoverTests {
    /// A video as its owner sees it: with members that nobody else does.
    private static func own(_ id: String, _ privacy: String = "anybody", more: String = "") -> String {
        #"{"uri":"/videos/\#(id)","name":"Own","link":"https://vimeo.com/\#(id)","privacy":{"view":"\#(privacy)","download":true},"stats":{"plays":7},"user":{"uri":"/users/1","name":"Ann","link":"https://vimeo.com/ann","email":"secret-mail"},"review_page":{"link":"secret-review"},"parent_folder":{"name":"secret-folder"},"download":[{"link":"secret-file"}],"metadata":{"connections":{"likes":{"total":3},"videos":{"total":122}}}\#(more)}"#
    }

    private static func page(_ rows: String..., total: Int) -> VimeoStandIn.Answer {
        .init(
            200,
            #"{"total":\#(total),"page":1,"paging":{"next":null,"last":"/x?page=9"},"data":[\#(rows.joined(separator: ","))]}"#
        )
    }

    @Test("raw has nothing that only the owner may see, asked for or not, new or kept")
    func raw() throws {
        let desk = try VimeoDesk()
        let script = """
            local v = yt.videos({"1000"}, {source = "vimeo", fields = {"raw"}}):list()[1]
            print(v.id, v.raw.name, v.raw.user.name, v.raw.metadata.connections.likes.total, v.raw.privacy.view)
            print(v.raw.review_page, v.raw.parent_folder, v.raw.download, v.raw.user.email, v.raw.privacy.download,
              v.raw.metadata.connections.videos)
            local one = yt.parse('{"ythost":1,"provider":"vimeo","id":"1000","kind":"video"}')
            for r in one:enrich{"raw", "views"} do print(r.views, r.raw and r.raw.review_page) end
            """
        for _ in 0..<2 {
            desk.server.answer("/videos", Self.page(Self.own("1000"), total: 1))
            let run = try desk.script(script)
            #expect(
                run.lines == ["1000\tOwn\tAnn\t3\tanybody", "nil\tnil\tnil\tnil\tnil\tnil", "7\tnil"], "\(run.errors)")
        }
        #expect(desk.server.calls.allSatisfy { $0.query["fields"]?.contains("stats.plays") == true })
        let given = try VimeoDesk()
        given.server.answer("/videos", Self.page(Self.own("1000"), total: 1))
        let whole = try given.script(
            #"print(yt.videos({"1000"}, {source = "vimeo", fields = {"raw"}}):list()[1].raw.review_page.link)"#,
            ["--allow", "account:vimeo"])
        #expect(whole.lines == ["secret-review"] && given.server.calls[0].query["fields"] == nil, "\(whole.errors)")
    }

    @Test("no count tells that there is more, whether something was left out or not")
    func counts() throws {
        let desk = try VimeoDesk()
        let script = """
            for _, words in ipairs{"none", "private", "open"} do
              local found = yt.search(words, {source = "vimeo", channel = "1"})
              local rows = found:list()
              print(#rows, found.info.total, found.info.estimate, found.info.last, found.info.first)
            end
            local ann = yt.channel("1", {source = "vimeo"})
            print(ann.title, ann.extra.videos, ann.extra.subscribers, ann.raw.metadata.connections.videos)
            local list = yt.playlist("channels/7", {source = "vimeo"})
            print(list.title, list.extra.videos, list.raw.metadata.connections.videos)
            """
        let path = "/users/1/videos"
        desk.server.answer(
            path, Self.page(total: 0), Self.page(Self.own("800", "nobody"), total: 1),
            Self.page(Self.own("801"), total: 1))
        let run = try desk.script(script)
        #expect(
            run.lines == [
                "0\tnil\tnil\tnil\tnil", "0\tnil\tnil\tnil\tnil", "1\tnil\tnil\tnil\tnil", "Ann\tnil\t12\tnil",
                "A list\tnil\tnil",
            ], "\(run.errors)")
        // A page that is not there is told as an empty one is.
        let beyond = try desk.script(
            #"""
            for _, page in ipairs{"3", "4"} do
              local found = yt.search("x", {source = "vimeo", channel = "1", page = page})
              print(#found:list() > 0, found.info.first, found.info.last, found.info.total)
            end
            """#)
        #expect(beyond.lines == ["true\t1\tnil\tnil", "false\t1\tnil\tnil"], "\(beyond.errors)")
        // What the user names is told whole, and so is what a plugin was granted.
        let granted = try desk.script(
            #"local f = yt.channel("1", {source = "vimeo"}):uploads{max = 5} f:list() print(f.info.total, f.info.last)"#,
            ["--allow", "account:vimeo"])
        #expect(granted.lines == ["121\t3"], "\(granted.errors)")
    }

    @Test(
        "an unlisted video is given for its own hash alone, wherever the service writes that",
        arguments: [
            (#""/videos/901""#, "https://vimeo.com/901/abc123", "901:abc123", true),
            (#""/videos/901""#, "https://vimeo.com/901/abc123", "901:x", false),
            (#""/videos/901:abc123""#, "https://vimeo.com/901", "901:abc123", true),
            (#""/videos/901:abc123""#, "https://vimeo.com/901/abc123", "901:abc123", true),
            (#""/videos/901:abc123""#, "https://vimeo.com/901/abc123", "901:ABC123", false),
            (#""/videos/901:abc123""#, "https://vimeo.com/901/other9", "901:abc123", false),
            (#""/videos/901:x""#, "https://vimeo.com/901/abc123", "901:x", false),
            (#""/videos/901:x""#, "https://vimeo.com/902/abc123", "901:x", true),
            (#""/videos/901""#, "https://vimeo.com/901", "901:x", false),
            (#""/videos/901:""#, "https://vimeo.com/901", "901:x", false),
            (#""/videos/901""#, "https://vimeo.com/901/abc123", "901", false),
            (#""/videos/902:abc123""#, "https://vimeo.com/902/abc123", "901:abc123", false),
        ])
    func hashes(uri: String, link: String, asked: String, isGiven: Bool) throws {
        let desk = try VimeoDesk()
        desk.server.answer(
            "/videos",
            .init(
                200,
                #"{"total":1,"paging":{},"data":[{"uri":\#(uri),"name":"T","link":"\#(link)","privacy":{"view":"unlisted"}}]}"#
            ))
        let run = try desk.script(#"for v in yt.videos({"\#(asked)"}, {source = "vimeo"}) do print(v.title) end"#)
        #expect(run.code == 0 && run.lines == (isGiven ? ["T"] : []), "\(run.errors)")
    }
}
