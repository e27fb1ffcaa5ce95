// The rules of the sample library's search, on a dozen lines made for it. The lines stand in the library's order (newest
// first, unknown dates last), which is what ties fall back to; the real data has tests of its own.

import Testing

@testable import Basics
@testable import VideoServices

private struct Sample: CustomStringConvertible {
    let words: String
    let options: [SearchOption: FieldValue]
    let found: [String]

    init(_ words: String, _ found: String) { self.init(words, [:], found) }

    init(_ words: String, _ options: [SearchOption: FieldValue], _ found: String) {
        self.words = words
        self.options = options
        self.found = found.split(separator: " ").map(String.init)
    }

    var description: String { "\(words) \(options.map { "\($0.key.rawValue)=\($0.value)" }.sorted())" }
}

private let library = [
    line("A", "Baking bread", channel: "Tea House", "2024-03-01T00:00:00Z", 239, ["cooking", "flour"], "en"),
    line("B", "Tea for two", channel: "Kitchen", "2024-02-01T00:00:00Z", 240, ["cooking", "drink"], "en-GB"),
    line("C", "Kettles", channel: "Kitchen", "2024-01-01T12:30:45Z", 1200, ["tea", "water"], "es"),
    line("D", "Teapots of the world", channel: "Pottery", "2023-06-01T00:00:00Z", 1201, ["clay", "black"], "eng"),
    line("E", "Quiet hours", channel: "Teachers", "2023-05-01T00:00:00Z", nil, ["holes"], nil),
    line("F", "An evening", channel: nil, "2023-04-01T00:00:00Z", nil, ["team sport"], nil),
    line("G", "Cafe \\\"Été\\\": programación fácil", channel: "Señor C", "2022-02-02T00:00:00Z", 60, ["art"], "es"),
    line("H", "Pythonで時系列のデータを分析", channel: "PyCon JP", "2021-02-02T00:00:00Z", 9000, ["data"], "ja"),
    line("I", "Black holes, explained", channel: "Space", "2020-02-02T00:00:00Z", nil, ["physics"], nil),
    line("J", "Holes in black", channel: "Space", "2019-02-02T00:00:00Z", nil, ["object oriented", "design"], nil),
    line("K", "black clothes", channel: "Space", "1969-12-31T23:59:59Z", nil, ["design", "oriented"], nil),
    line("L", "Artemis: C++ and C# in flight", channel: "Space", nil, nil, ["rocket"], nil),
    line("M", "Art of JavaScript", channel: "Space", nil, nil, ["java script"], nil),
].joined(separator: "\n")

private func line(
    _ id: String, _ title: String, channel: String?, _ published: String?, _ duration: Int?, _ tags: [String],
    _ language: String?
) -> String {
    var line = #"{"ythost":1,"provider":"youtube","id":"\#(id)","kind":"video","title":"\#(title)""#
    if let channel { line += #","channel":{"id":"UC\#(id)","title":"\#(channel)"}"# }
    if let published { line += #","published":"\#(published)""# }
    if let duration { line += #","duration":\#(duration)"# }
    line += #","tags":[\#(tags.map { "\"\($0)\"" }.joined(separator: ","))]"#
    if let language { line += #","language":"\#(language)""# }
    return line + "}"
}

private func ids(_ body: [UInt8]) -> [String] {
    String(decoding: body, as: UTF8.self).split(separator: "\n").map { line in
        String(line.split(separator: "\"", maxSplits: 10)[9])
    }
}

@Suite("SampleService")
struct SampleServiceTests {
    private let service = SampleService()

    private func search(
        _ words: String, _ options: [SearchOption: FieldValue] = [:], limit: Int = 50, page: String? = nil,
        in lines: String = library
    ) throws(ServiceError) -> SearchPage {
        let bytes = Array(lines.utf8)
        return try service.search(SearchQuery(words: words, options: options), limit: limit, page: page, in: bytes.span)
    }

    @Test(
        "words are ranked: all before some, whole before beginnings, title before channel before tags, then newer",
        arguments: [
            Sample("tea", "B A C D E F"),
            Sample("cooking", "A B"),
            Sample("kitchen cooking", "B C A"),
            Sample("black holes", "I J K D E"),
            Sample("holes black", "I J K D E"),
            Sample("space", "I J K L M"),
            Sample("art", "M G L"),
            Sample("java", "M"),
            Sample("javascript", "M"),
            Sample("nothing here", ""),
        ])
    private func ranking(_ sample: Sample) throws {
        #expect(ids(try search(sample.words).body) == sample.found)
    }

    @Test(
        "case, accents and punctuation do not matter; c++ and c# are words; one letter begins no word",
        arguments: [
            Sample("PROGRAMACION", "G"),
            Sample("programación", "G"),
            Sample("ete", "G"),
            Sample("CAFÉ!", "G"),
            Sample("senor", "G"),
            Sample("c++", "L"),
            Sample("c#", "L"),
            Sample("c", "G"),
            Sample("object-oriented", "J"),
            Sample("tea,", "B A C D E F"),
        ])
    private func folding(_ sample: Sample) throws {
        #expect(ids(try search(sample.words).body) == sample.found)
    }

    @Test(
        "Chinese and Japanese words are found inside a run, two characters long too",
        arguments: [
            Sample("分析", "H"), Sample("時系列", "H"), Sample("データ", "H"), Sample("析", "H"), Sample("python", "H"),
            Sample("析分", ""), Sample("\"系列\"", "H"),
        ])
    private func cjk(_ sample: Sample) throws {
        #expect(ids(try search(sample.words).body) == sample.found)
    }

    @Test(
        "-word leaves out, quotes make a phrase, | is either",
        arguments: [
            Sample("tea -cooking", "C D E F"),
            Sample("art -java", "G L"),
            Sample("art -javascript", "G L"),
            Sample("tea -\"tea for two\"", "A C D E F"),
            Sample("tea -\"tea two\"", "B A C D E F"),
            Sample("\"black holes\"", "I"),
            Sample("\"black hole\"", ""),
            Sample("\"clay black\"", ""),
            Sample("\"Black Holes", "I"),
            Sample("kettles | bread", "A C"),
            Sample("kettles|bread", "A C"),
            Sample("kettles | bread kitchen", "C A B"),
            Sample("kitchen kettles|bread", "C A B"),
            Sample("kettles | | bread |", "A C"),
            Sample("| kettles", "C"),
            Sample("kettles -clay | bread", "A C"),
            Sample("tea - cooking", "B A C D E F"),
            Sample("-clay black -space", ""),
            Sample("kettles\u{3000}bread", "A C"),
        ])
    private func operators(_ sample: Sample) throws {
        #expect(ids(try search(sample.words).body) == sample.found)
    }

    @Test(
        "with literal every word is searched as it stands",
        arguments: [
            Sample("tea -cooking", "B A C D E F"),
            Sample("\"black holes\"", "I J K D E"),
            Sample("kettles | bread", "A C"),
            Sample("-kettles", "C"),
            Sample("the", "D"),
        ])
    private func literal(_ sample: Sample) throws {
        #expect(ids(try search(sample.words, [.literal: .bool(true)]).body) == sample.found)
    }

    @Test(
        "a word like `of` or `the` finds nothing beside other words, but does alone",
        arguments: [
            Sample("the kettles of bread", "A C"),
            Sample("of the", "D M"),
            Sample("art of", "M G L"),
        ])
    private func common(_ sample: Sample) throws {
        #expect(ids(try search(sample.words).body) == sample.found)
    }

    @Test(
        "options keep what they say and nothing of which the fact is unknown",
        arguments: [
            Sample("space", [.order: .text("date")], "I J K L M"),
            Sample("tea", [.order: .text("date")], "A B C D E F"),
            Sample("tea", [.order: .text("relevance")], "B A C D E F"),
            Sample("tea", [.order: .text("title")], "F A C E B D"),
            Sample("art", [.order: .text("title")], "M L G"),
            Sample("tea", [.type: .text("video")], "B A C D E F"),
            Sample("tea", [.type: .text("all")], "B A C D E F"),
            Sample("kettles", [.after: .integer(1_704_112_245)], "C"),
            Sample("kettles", [.after: .integer(1_704_112_246)], ""),
            Sample("kettles", [.before: .integer(1_704_112_245)], ""),
            Sample("kettles", [.before: .integer(1_704_112_246)], "C"),
            Sample("space", [.after: .integer(-1)], "I J K"),
            Sample("space", [.before: .integer(0)], "K"),
            Sample("space", [.after: .integer(-2), .before: .integer(1_577_836_800)], "J K"),
            Sample("tea", [.duration: .text("short")], "A"),
            Sample("tea", [.duration: .text("medium")], "B C"),
            Sample("tea", [.duration: .text("long")], "D"),
            Sample("tea", [.channel: .text("kitchen")], "B C"),
            Sample("tea", [.channel: .text("UCC")], "C"),
            Sample("tea", [.channel: .text("ucc")], ""),
            Sample("tea", [.channel: .text("kitch")], ""),
            Sample("cafe", [.channel: .text("senor c")], "G"),
            Sample("tea", [.language: .text("en")], "B A"),
            Sample("tea", [.language: .text("EN-gb")], "B"),
            Sample("tea", [.language: .text("en-US")], ""),
            Sample("tea", [.language: .text("es")], "C"),
            Sample("tea -cooking", [.literal: .bool(false)], "C D E F"),
            Sample("tea", [.language: .text("en"), .duration: .text("medium"), .channel: .text("Kitchen")], "B"),
        ])
    private func options(_ sample: Sample) throws {
        #expect(ids(try search(sample.words, sample.options).body) == sample.found)
    }

    @Test(
        "a value it cannot honour is refused, with those it can",
        arguments: [
            (SearchOption.order, "views", ["relevance", "date", "title"]),
            (.order, "rating", ["relevance", "date", "title"]),
            (.order, "videos", ["relevance", "date", "title"]),
            (.type, "channel", ["video", "all"]),
            (.type, "playlist", ["video", "all"]),
            (.duration, "endless", ["short", "medium", "long"]),
        ])
    func values(option: SearchOption, value: String, possible: [String]) {
        let error = ServiceError.valueNotHonoured(service: "sample", option: option, value: value, possible: possible)
        #expect(throws: error) { try search("tea", [option: .text(value)]) }
    }

    @Test("any other option is refused", arguments: SearchOption.allCases)
    func others(option: SearchOption) {
        let honoured: Set<SearchOption> = [
            .order, .type, .after, .before, .duration, .channel, .language, .literal,
        ]
        #expect(service.honoured == honoured)
        guard !honoured.contains(option) else { return }
        #expect(throws: ServiceError.optionNotHonoured(service: "sample", option: option)) {
            try search("tea", [option: .text("x")])
        }
    }

    @Test(
        "a query of nothing, or of exclusions only, is refused",
        arguments: ["", "  ", "-tea", "-tea -\"black holes\"", "|", "\"\"", "- | !?", "-"])
    func empty(words: String) {
        #expect(throws: ServiceError.emptyQuery(service: "sample")) { try search(words) }
    }

    @Test("an option that is not honoured is told before an empty query")
    func refusedFirst() {
        #expect(throws: ServiceError.optionNotHonoured(service: "sample", option: .region)) {
            try search("", [.region: .text("DE")])
        }
    }

    @Test("the answer is the lines as they stand, joined by line feeds, in one page that cost no call")
    func answer() throws {
        let page = try search("kettles | bread")
        let lines = library.split(separator: "\n")
        #expect(String(decoding: page.body, as: UTF8.self) == "\(lines[0])\n\(lines[2])")
        #expect(page.format == "ythost")
        #expect(page.next == nil)
        #expect(page.estimate == 2)
        #expect(page.calls == 0)
        #expect(try search("kettles", page: "2").body.isEmpty)
    }

    @Test("no match is an empty body")
    func nothing() throws {
        let page = try search("zebra")
        #expect(page.body.isEmpty)
        #expect(page.estimate == 0)
    }

    @Test(
        "limit caps the rows, best first", arguments: [(0, ""), (-1, ""), (1, "B"), (3, "B A C"), (99, "B A C D E F")])
    func limit(limit: Int, found: String) throws {
        #expect(ids(try search("tea", limit: limit).body).joined(separator: " ") == found)
    }

    @Test(
        "lines of another form are passed over",
        arguments: [
            "", "\n", "\n\n{}", "{\"ythost\":1",
            #"{"ythost":1,"provider":"youtube","id":"x","kind":"video","title":"tea\"#,
            #"{"ythost":1,"provider":"youtube","id":"x","kind":"video","title":"tea","views":1}"#,
            #"{"ythost":1,"provider":"youtube","id":"x","kind":"video","title":"tea","published":"today"}"#,
            #"{"ythost":1,"provider":"youtube","id":"x","kind":"video","title":"tea","tags":["a"}"#,
        ])
    func form(lines: String) throws {
        #expect(try search("tea", in: lines).body.isEmpty)
        #expect(ids(try search("tea", in: lines + "\n" + library).body).count == 6)
    }

    @Test("leap days are days", arguments: [("2000-02-29", 951_782_400), ("2024-12-31", 1_735_603_200)])
    func dates(date: String, epoch: Int64) throws {
        let lines = line("X", "tea", channel: nil, "\(date)T00:00:00Z", nil, ["x"], nil)
        #expect(ids(try search("tea", [.after: .integer(epoch)], in: lines).body) == ["X"])
        #expect(ids(try search("tea", [.before: .integer(epoch)], in: lines).body) == [])
    }
}
