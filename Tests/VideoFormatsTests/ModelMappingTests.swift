// JSON as values of a program's own types: what each job of VIMObjectMapper has become.

import Basics
import JSON
import Testing
import VideoFormats

private struct Person: Equatable {
    var name: String?
    var websites: [String] = []

    static let mapping = ModelMapping(
        { Person() }, .value("name", \Person.name), .values("websites", \Person.websites, each: "link"))
}

private struct Connection: Equatable {
    var total: Int?
    var options: [String] = []

    static let mapping = ModelMapping(
        { Connection() }, .value("total", \Connection.total), .values("options", \Connection.options))
}

private struct Film: Equatable {
    var title: String?
    var createdTime: Int64?
    var released: Int64?
    var plays: Int64?
    var isHD: Bool?
    var rating: Double?
    var maker: Person?
    var credits: [Person] = []
    var connections: [String: Connection] = [:]
    var numbers: [Int] = [7]
    var flags: [Bool] = []
    var rest: FieldValue?
    var finished = 0

    static let mapping = ModelMapping(
        { Film() },
        .value("title", \Film.title, at: "name"), .value("createdTime", \Film.createdTime, as: .time),
        .value("released", \Film.released, at: "release_time", as: .time),
        .value("plays", \Film.plays, at: "stats.plays"), .value("isHD", \Film.isHD, at: "is_hd"),
        .value("rating", \Film.rating), .model("maker", \Film.maker, Person.mapping, at: "user"),
        .models("credits", \Film.credits, Person.mapping),
        .keyed("connections", \Film.connections, Connection.mapping, at: "metadata.connections"),
        .values("numbers", \Film.numbers), .values("flags", \Film.flags), .value("rest", \Film.rest, at: "files")
    ).finished { $0.finished += $0.title == nil ? 10 : 1 }
}

@Suite struct ModelMappingTests {
    private static let page = """
        {"total":3,"data":[
          {"name":"One","created_time":"1970-01-01T00:01:00+00:00","release_time":null,"stats":{"plays":12},"is_hd":true,
           "rating":4.5,"user":{"name":"Ann","websites":[{"link":"https://a.example","name":"A"},{"name":"none"}]},
           "credits":[{"name":"Bob"},7,{"name":"Cy"}],"unknown_key":{"a":[1]},"numbers":[1,null,2,"3",4.5],
           "flags":[true,false],"metadata":{"connections":{"likes":{"total":3,"options":["GET"]},"videos":{"total":null}}},
           "files":[{"quality":"hd"}]},
          "no film",
          {"createdTime":5,"stats":{"plays":null},"user":null,"numbers":null,"credits":{"name":"Alone"},"flags":true},
          {"name":7,"rating":"4","user":"Ann","created_time":"yesterday"}
        ]}
        """

    @Test("objects at a key path become values: by key, by collection, with names in either style, and a last word")
    func films() throws {
        let films = try Film.mapping.models(in: [0xEF, 0xBB, 0xBF] + Array(Self.page.utf8), at: "data")
        #expect(films.count == 3)
        let first = films[0]
        #expect(first.title == "One" && first.createdTime == 60 && first.released == nil && first.plays == 12)
        #expect(first.isHD == true && first.rating == 4.5)
        #expect(first.maker == Person(name: "Ann", websites: ["https://a.example"]))
        #expect(first.credits.map(\.name) == ["Bob", "Cy"])
        #expect(first.connections == ["likes": Connection(total: 3, options: ["GET"]), "videos": Connection()])
        #expect(first.numbers == [1, 2, 3] && first.flags == [true, false])
        #expect(first.rest?.list?.first?["quality"].text == "hd" && first.finished == 1)
    }

    @Test("what is missing, null or of another form leaves a property as it was made")
    func unknowns() throws {
        let films = try Film.mapping.models(in: Array(Self.page.utf8), at: "data")
        #expect(films[1].title == nil && films[1].createdTime == 5 && films[1].plays == nil && films[1].maker == nil)
        #expect(films[1].numbers == [7] && films[1].flags == [true] && films[1].finished == 10)
        #expect(films[1].credits.map(\.name) == ["Alone"])
        #expect(films[2].title == "7" && films[2].rating == 4 && films[2].maker == nil && films[2].createdTime == nil)
    }

    @Test("a document may be one object, an array, or nothing that is there")
    func documents() throws {
        func count(_ text: String, _ path: JSONPath = "") throws -> Int {
            try Person.mapping.models(in: Array(text.utf8), at: path).count
        }
        #expect(try count(#"{"name":"A"}"#) == 1 && count(#"[{"name":"A"},{}]"#) == 2 && count("7") == 0)
        #expect(try count(#"{"a":{"b":[{}]}}"#, "a.b") == 1 && count("{}", "data") == 0)
        #expect(throws: JSONError.self) { try count("{") }
        let row = try JSONBatch.document(Array(#"{"user":{"name":"A"},"paging":{"next":"/x"}}"#.utf8))[0]
        #expect(Person.mapping.model(of: row, at: "user")?.name == "A" && Person.mapping.model(of: row, at: "x") == nil)
        #expect(row.value(at: "paging.next").text == "/x")
    }
}
