// Categories and regions by name.

import TestSupport
import Testing

@testable import Basics
@testable import VideoServices

@Suite struct YouTubeNamesTests {
    private func query(_ options: [SearchOption: String]) -> SearchQuery {
        SearchQuery(words: "x", options: options.mapValues { .text($0) })
    }

    @Test("a name costs one unit once, is asked for in the region of the search, and case and accents are no matter")
    func names() throws {
        let bench = YouTubeBench()
        let page = try bench.service.search(
            query([.category: "film & animation", .region: "germany"]), limit: 5, page: nil)
        #expect(page.calls == 3)
        #expect(bench.server.calls.map(\.path) == ["i18nRegions", "videoCategories", "search"])
        #expect(bench.server.calls[2].query["regionCode"] == "DE")
        #expect(bench.server.calls[2].query["videoCategoryId"] == "101")
        #expect(try bench.spent(.read) == 2 && bench.spent(.search) == 1)
        let again = try bench.service.search(
            query([.category: "Music", .region: "COTE D’IVOIRE"]), limit: 5, page: nil)
        #expect(again.calls == 2, "the regions are kept, and the categories of this one are not")
        #expect(bench.server.calls.last?.query["videoCategoryId"] == "10")
        bench.server.forget()
        _ = try bench.service.search(query([.category: "27", .region: "us"]), limit: 5, page: nil)
        #expect(bench.server.calls.map(\.path) == ["search"], "numbers and codes need no list")
    }

    @Test("an unknown name is told with what there is, and no search is spent")
    func unknown() throws {
        let bench = YouTubeBench()
        #expect(
            throws: ServiceError.unknownName(
                service: "youtube", option: .category, value: "Musik",
                known: ["Film & Animation", "Music", "Education"])
        ) { try bench.service.search(query([.category: "Musik"]), limit: 5, page: nil) }
        #expect(throws: ServiceError.self) { try bench.service.search(query([.region: "DEU"]), limit: 5, page: nil) }
        #expect(try bench.spent(.search) == 0)
    }

    @Test("a plan counts the lists that are not kept, and knows the search once they are")
    func plan() throws {
        let bench = YouTubeBench()
        let query = query([.category: "Music"])
        #expect(try bench.service.plan(query, limit: 100, fields: []).map(\.count) == [1, 2])
        _ = try bench.service.search(query, limit: 50, page: nil)
        let plans = try bench.service.plan(query, limit: 100, fields: [])
        #expect(plans.map(\.count) == [0, 1] && plans.map(\.kept) == [1, 1])
        #expect(plans[1].detail.contains("videoCategoryId=10"))
    }
}
