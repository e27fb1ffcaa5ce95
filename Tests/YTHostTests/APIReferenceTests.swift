// The declarations of the API: what is promised stays, the pages made from it are current, and examples are Lua.
//
// YTHOST_UPDATE_GOLDENS=1 swift test --filter APIReferenceTests   writes the files anew.

import Foundation
import Testing

@testable import HostErrors
@testable import LuaAPI
@testable import LuaRuntime

@Suite struct APIReferenceTests {
    private static let isUpdating = ProcessInfo.processInfo.environment["YTHOST_UPDATE_GOLDENS"] == "1"
    private static let howTo = "run: YTHOST_UPDATE_GOLDENS=1 swift test --filter APIReferenceTests"

    /// The file's text, written anew first when that was asked for.
    private func text(of path: String, madeAs made: String) throws -> String {
        let file = Workbench.root.appending(path: path)
        if Self.isUpdating {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(made.utf8).write(to: file)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }

    // MARK: promises

    @Test("nothing that version 1 of the API promised is gone or changed")
    func golden() throws {
        let path = "Tests/YTHostTests/Goldens/api-1.txt"
        let now = APIReference.golden
        let before = (try? String(contentsOf: Workbench.root.appending(path: path), encoding: .utf8)) ?? ""
        let promised = before.split(separator: "\n").map(String.init)
        let broken = promised.filter { promise in !now.contains { Self.keeps(promise, $0) } }
        // Also when the file is written anew: taking a promise back is an edit by hand, and a new version.
        #expect(broken == [], "plugins rely on these lines of \(path); keep them, or make a new version of the API")
        guard broken.isEmpty else { return }
        let kept = try text(of: path, madeAs: now.joined(separator: "\n") + "\n")
        let new = now.filter { !kept.split(separator: "\n").map(String.init).contains($0) }
        #expect(new == [], "\(path) lacks these new promises; \(Self.howTo)")
    }

    /// Whether a line promises as much as another: the same, or with more words to choose from. Plugins must expect
    /// words that they do not know.
    private static func keeps(_ promise: String, _ line: String) -> Bool {
        func parted(_ line: String) -> (rest: [Substring], words: Set<Substring>) {
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            let words = Set(parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] })
            let rest = parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }.filter { $0 != "|" }
            return (rest, words)
        }
        let (before, after) = (parted(promise), parted(line))
        return before.rest == after.rest && before.words.isSubset(of: after.words)
    }

    @Test("a promise is kept by a line with more words to choose from, and by no other")
    func keptPromises() {
        let promise = #"f argument 1 options.as: "a"|"b" optional"#
        #expect(Self.keeps(promise, promise) && Self.keeps(promise, #"f argument 1 options.as: "a"|"b"|"c" optional"#))
        for line in [
            #"f argument 1 options.as: "a"|"c" optional"#, #"f argument 1 options.as: "a"|"b""#,
            #"f argument 1 options.by: "a"|"b" optional"#, "f argument 1 options.as: string optional",
        ] {
            #expect(!Self.keeps(promise, line))
        }
    }

    @Test("no promise is made twice")
    func goldenIsUnique() {
        #expect(Set(APIReference.golden).count == APIReference.golden.count)
    }

    // MARK: pages

    @Test("docs/api.md is made from the declarations")
    func page() throws {
        let kept = try text(of: "docs/api.md", madeAs: APIReference.page)
        #expect(kept == APIReference.page, "docs/api.md is not current; \(Self.howTo)")
    }

    @Test("docs/yt.lua is made from the declarations")
    func stub() throws {
        let kept = try text(of: "docs/yt.lua", madeAs: APIReference.stub)
        #expect(kept == APIReference.stub, "docs/yt.lua is not current; \(Self.howTo)")
    }

    @Test("the editor stub is Lua that loads, and has every function")
    func stubIsLua() throws {
        let state = try LuaState()
        try state.run(APIReference.stub, name: "yt.lua")
        for function in API.functions {
            let name = function.owner == nil ? "yt." + function.path : function.path
            #expect(APIReference.stub.contains("\nfunction \(name)("))
        }
        #expect(APIReference.stub.hasPrefix("---@meta\n"))
    }

    @Test("no line of the stub's annotations breaks off")
    func stubLines() {
        for line in APIReference.stub.split(separator: "\n") {
            #expect(line.contains { $0 != "-" } && !line.hasSuffix(" "), "\(line)")
        }
    }

    @Test("rows of the page's tables have three columns")
    func tables() {
        for line in APIReference.page.split(separator: "\n") where line.hasPrefix("|") {
            let bars = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(bars == 4, "\(line)")
        }
    }

    // MARK: declarations

    @Test("what is looked for where it is expected is all there is")
    func shelves() {
        for owner in [APIFunction.Owner.results, .video, .output, .mapper, .template, .element, .thumbnail] {
            let all = API.functions.filter { $0.owner == owner }.map(\.path)
            #expect(API.methods(of: owner).map(\.path) == all)
        }
        #expect(Set(API.functions.filter { $0.owner == nil }.compactMap(\.group)).sorted() == API.tables)
    }

    @Test("a function has a summary that is a sentence", arguments: API.functions.map(\.path))
    func summary(path: String) throws {
        let function = try #require(API.named(path))
        #expect(function.summary.count > 10)
        #expect(function.summary.first?.isUppercase == true && function.summary.last == ".")
        #expect(!function.summary.contains("\n"))
    }

    @Test(
        "the parameters of a function have names of their own, optional ones last", arguments: API.functions.map(\.path)
    )
    func parameters(path: String) throws {
        let function = try #require(API.named(path))
        check(function.parameters)
        let firstOptional = function.parameters.firstIndex { $0.isOptional } ?? function.parameters.count
        #expect(function.parameters[firstOptional...].allSatisfy { $0.isOptional || $0.isVariadic })
        #expect(function.parameters.dropLast().allSatisfy { !$0.isVariadic })
    }

    private func check(_ parameters: [APIParameter]) {
        #expect(Set(parameters.map(\.name)).count == parameters.count)
        for parameter in parameters {
            #expect(parameter.name.allSatisfy { $0.isLowercase || $0 == "_" })
            if case .options(let members) = parameter.type {
                check(members)
                #expect(members.allSatisfy { !$0.summary.isEmpty })
            }
        }
    }

    @Test("a function's example is Lua that compiles and uses it", arguments: API.functions.map(\.path))
    func example(path: String) throws {
        let function = try #require(API.named(path))
        let state = try LuaState()
        let forms = [function.example, "return " + function.example]
        #expect(
            forms.contains { (try? state.load(Array($0.utf8), name: "example")) != nil }, "\(function.example)")
        let isCalled = function.example.contains(function.name) || function.path == "Mapper:read"
        #expect(isCalled, "\(function.example)")
    }

    @Test(
        "a function is there under the name it is declared by",
        arguments: API.functions.filter { $0.owner == nil }.map(\.displayName))
    func isThere(name: String) throws {
        #expect(try Workbench().script("print(type(\(name)))").text == "function\n")
    }

    // MARK: help

    @Test("help finds a function by any of its names", arguments: ["search", "yt.search", "SEARCH"])
    func help(name: String) throws {
        let text = try APIReference.help(name)
        #expect(text.hasPrefix("yt.search(query, options?)\n\nSearches for videos."))
        #expect(text.contains("needs the grant 'search'") && text.contains("since API 1"))
    }

    @Test("help finds methods by type or by example", arguments: ["Results:filter", "results:filter"])
    func helpMethod(name: String) throws {
        #expect(try APIReference.help(name).hasPrefix("results:filter(keep)"))
    }

    @Test("help without a name lists every function")
    func helpList() throws {
        let text = try APIReference.help(nil)
        for function in API.functions { #expect(text.contains(function.displayName)) }
    }

    @Test(
        "help says what is near to a misspelt name",
        arguments: [
            ("serach", "the API has no 'serach'; did you mean 'search'?"),
            ("frobnicate", "the API has no 'frobnicate'"),
        ])
    func helpUnknown(name: String, message: String) throws {
        do {
            _ = try APIReference.help(name)
            Issue.record("help found \(name)")
        } catch {
            #expect(error.report?.message == message)
            #expect(error.report?.code == .usage)
        }
    }
}
