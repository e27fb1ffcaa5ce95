import Testing

@testable import Basics
@testable import Files
@testable import HostErrors
@testable import LuaAPI
@testable import Pipeline
@testable import RecordStreams
@testable import Sandbox
@testable import VideoServices
@testable import WorkerHost

@Suite("A request on its way to the worker") struct RunRequestWireTests {
    /// Everything about a request that the worker must know, as text.
    private func told(_ request: RunRequest) -> [String] {
        Mirror(reflecting: request).children.filter {
            !["grants", "typedOrigins", "pictures", "zone"].contains($0.label)
        }.map {
            child in
            // A dictionary is in another order each time.
            if let options = child.value as? [SearchOption: FieldValue] {
                return "search: \(options.map { "\($0.key) \($0.value)" }.sorted())"
            }
            return "\(child.label ?? ""): \(String(reflecting: child.value))"
        }
    }

    private func sent(_ request: RunRequest) throws -> RunRequest {
        try #require(WireMessage(run: request, inputs: 3).run).request
    }

    @Test func nothingIsLostOnTheWay() throws {
        var request = RunRequest()
        request.plugin = "rss"
        request.arguments = ["a", "--b", "", "ü \u{0}"]
        request.stages = [
            .plugin("long", settings: [("min", "5m"), ("x", "")]), .keep(expression: "views > 1"),
            .order(expression: "views"),
        ]
        request.template = "{title}"
        request.inputs = [.file("a b"), .found("c"), .standardInput]
        request.origins = [
            .feed(try #require(WebAddress("https://example.org/a%20b?c=d"))), .channel("@x"), .playlist("PL1"),
            .page(try #require(WebAddress("http://example.org/"))),
            .list("subscriptions.opml"),
        ]
        request.product = .player
        request.inputFormat = "youtube"
        request.isStrict = true
        request.looksUp = true
        request.isDry = true
        request.source = "sample"
        request.search = [.order: .text("date"), .literal: .bool(true), .after: .integer(7)]
        request.fetch = 7
        request.take = 0
        request.defaultFormat = "table"
        request.unknownSuffix = ".x"
        request.failsWhenEmpty = true
        request.frozenTime = -1
        request.seed = .max
        try request.budgets.apply("memory=1M,cpu=0.5s,wall=none,output=5,requests=6,calls=7,instructions=8")
        request.columns = 80
        request.isTerminal = true
        request.allowsColor = true
        request.allowsLinks = true
        let usual = told(RunRequest())
        let before = told(request)
        // A field that is as it always is would show nothing.
        for (mine, other) in zip(before, usual) { #expect(mine != other) }
        #expect(told(try sent(request)) == before)
        #expect(told(try sent(RunRequest())) == usual)
    }

    @Test func aZoneComesAsTheFileOrTheRuleItIs() throws {
        var request = RunRequest()
        #expect(try sent(request).zone == nil)
        let rule = try #require(ZoneRules(rule: "PST8PDT,M3.2.0,M11.1.0"))
        let city = try #require(try TimeZones.rules(of: "Europe/Berlin"))
        for zone in [city, rule] {
            request.zone = zone
            let there = try #require(try sent(request).zone)
            for time: Int64 in [0, 1_700_000_000, 1_720_000_000, 4_000_000_000] {
                #expect(there.offset(at: time) == zone.offset(at: time))
            }
        }
    }

    @Test func theNumberOfInputsIsTold() throws {
        #expect(try #require(WireMessage(run: RunRequest(), inputs: 12).run).inputs == 12)
        #expect(WireMessage(kind: .run).run == nil)
    }
}

@Suite("A state that is made before it is needed") struct PrewarmedStateTests {
    @Test func isTakenOnceAndForItsSeedAlone() {
        let ready = PrewarmedState()
        #expect(ready.take(seed: 5) == nil)
        #expect(ready.take(seed: 0) != nil)
        #expect(ready.take(seed: 0) == nil)
    }
}

@Suite("Names of modules in a text of Lua") struct ModuleNameTests {
    private func names(_ text: String) -> [String] { ModuleNames.required(by: Array(text.utf8)) }

    @Test(
        arguments: [
            (#"local a = require "yt.page""#, ["yt.page"]),
            ("require('a') require(\"b.c\") require   ( 'd' )", ["a", "b.c", "d"]),
            ("require 'a' require 'a'", ["a"]),
            ("require(name) require \"../x\" require '' require \"open", []),
            ("-- a required 'word'\nrequire 'x'", ["x"]),
            ("require", []), ("", []), ("requir", []), ("require \"", []),
        ] as [(String, [String])])
    func areFound(_ text: String, _ expected: [String]) { #expect(names(text) == expected) }
}
