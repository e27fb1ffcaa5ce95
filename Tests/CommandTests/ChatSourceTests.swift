// The chat source against replies that are odd in one place: that action is left out and told, the others are done.

import Foundation
import TestSupport
import Testing

@Suite struct ChatSourceTests {
    /// A desk whose chat server answers with these bytes.
    private func desk(_ body: String) throws -> OriginDesk {
        try OriginDesk { request, reply in
            if request.target.hasPrefix("/susi/") {
                reply.answer(200, [], body)
            } else if request.target.hasPrefix("/ddg") {
                reply.answer(500)
            } else {
                return false
            }
            return true
        }
    }

    private func ask(_ body: String) throws -> Program.Run {
        let desk = try desk(body)
        return try desk.run(
            ["run", "susi", "hello there", "--server", desk.url(""), "--allow", desk.place]
                + ["--print", "{title} {url}", "--fresh"], ["YTHOST_DUCKDUCKGO_URL": desk.url("/ddg")])
    }

    private static func reply(_ actions: String, data: String = #"[{"n":"Lua"},{"n":"Swift"}]"#) -> String {
        #"{"answers":[{"data":\#(data),"actions":[{"type":"answer","expression":"Said"},\#(actions)]}]}"#
    }

    private static let map = "Map https://www.openstreetmap.org/#map="

    @Test(
        "an action that is odd costs no other",
        arguments: [
            (reply(#"{"type":"table","columns":["n"],"count":"1"}"#), ["n: Lua -"], nil),
            (reply(#"{"type":"table","columns":["n"],"count":"x"}"#), ["n: Lua -", "n: Swift -"], nil),
            (reply(#"{"type":"table","columns":["n"],"count":null}"#), ["n: Lua -", "n: Swift -"], nil),
            (reply(#"{"type":"table","columns":["n"],"count":0}"#), [], nil),
            (reply(#"null,{"type":"table","columns":["n"]}"#), ["n: Lua -", "n: Swift -"], "left out"),
            (
                reply(#"5,{"type":"map","latitude":1,"longitude":"2"},{"type":"table","columns":{"n":"N"},"count":1}"#),
                [map + "12/1.00000/2.00000", "N: Lua -"], "left out"
            ),
            (
                reply(#"{"type":"table","columns":["n"]}"#, data: #"[null,{"n":"Lua"},{"n":null},7,{"n":"Go"}]"#),
                ["n: Lua -", "n: Go -"], nil
            ),
            (reply(#"{"type":"table"}"#), [], "left out a table of the reply: it has no columns"),
            (
                reply(#"{"type":"map","latitude":"1.5","longitude":"2","zoom":"1e400"}"#), [map + "12/1.50000/2.00000"],
                nil
            ),
            (reply(#"{"type":"map","latitude":1,"longitude":2,"zoom":99}"#), [map + "19/1.00000/2.00000"], nil),
            (reply(#"{"type":"map","latitude":152.5,"longitude":2}"#), [], "left out a map of the reply: its latitude"),
            (
                reply(#"{"type":"map","latitude":1,"longitude":1e300}"#), [],
                "left out a map of the reply: its longitude"
            ),
            (reply(#"{"type":"map","latitude":"nan","longitude":2}"#), [], "its latitude"),
            (
                reply(#"{"type":"websearch","query":{"a":1}},{"type":"table","columns":["n"],"count":1}"#),
                ["n: Lua -"],
                "left out a websearch of the reply: its query is no text"
            ),
            (reply(#"{"type":"websearch","query":"s500"}"#), [], "left out a websearch of the reply"),
        ] as [(String, [String], String?)])
    func odd(body: String, lines: [String], told: String?) throws {
        let run = try ask(body)
        #expect(run.code == 0 && run.lines == ["Said -"] + lines, "\(run.output)\(run.errors)")
        if let told { #expect(run.errors.contains(told), "\(run.errors)") } else { #expect(run.errors == "") }
    }

    @Test(
        "what is no chat reply is an error that says so, never one of Lua's",
        arguments: ["", "[]", "null", "[1]", "{}", #"{"answers":[]}"#, #"{"answers":[{"actions":7}]}"#, "<html>"])
    func none(body: String) throws {
        let run = try ask(body)
        #expect(run.code == 1 && run.output == "", "\(run.output)\(run.errors)")
        #expect(run.errors.contains("no chat reply") || run.errors.contains("no format"), "\(run.errors)")
        for word in ["attempt to", "bad argument", "nil value"] { #expect(!run.errors.contains(word), "\(run.errors)") }
    }

    @Test("where nothing could be done, the first reason is the run's")
    func nothingDone() throws {
        let run = try ask(#"{"answers":[{"actions":[{"type":"websearch","query":"s500"}]}]}"#)
        #expect(run.code == 4 && run.errors.contains("status 500"), "\(run.errors)")
    }
}
