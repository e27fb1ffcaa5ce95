// "Did you mean" suggests what is near, and nothing that is not.

import Testing

@testable import HostErrors

@Suite struct NearestTests {
    @Test(
        "a misspelt word finds the nearest known one",
        arguments: [
            ("durtion", "duration"), ("tilte", "title"), ("publshed", "published"), ("VIEWS", "views"),
            ("viwes", "views"),
        ])
    func near(word: String, name: String) {
        #expect(Nearest.name(to: word, among: ["duration", "title", "published", "views"]) == name)
    }

    @Test(
        "one letter is not near to another, but to itself and to two", arguments: [("x", nil), ("A", "a"), ("y", "by")])
    func letters(word: String, name: String?) {
        #expect(Nearest.name(to: word, among: ["a", "b", "by"]) == name)
    }

    @Test("a word near to nothing gets no suggestion", arguments: ["x", "colour", ""])
    func far(word: String) {
        #expect(Nearest.name(to: word, among: ["duration", "title", "published"]) == nil)
    }
}
