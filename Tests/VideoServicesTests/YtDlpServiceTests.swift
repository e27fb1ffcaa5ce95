// yt-dlp as a source, by programs of that name that a test writes: how it is called, and what becomes of everything that
// it may do.

import Foundation
import TestSupport
import Testing
import Threads

@testable import Basics
@testable import VideoModel
@testable import VideoServices
@testable import WebClient

private struct Wrong: Error {}

@Suite struct YtDlpServiceTests {
    /// A folder with a `yt-dlp` that is this script, and a service that finds it there.
    private func service(_ script: String?, _ change: (inout Network.Settings) -> Void = { _ in }) throws -> (
        YtDlpService, StoreScratch
    ) {
        let scratch = StoreScratch()
        if let script {
            let path = scratch.folder + "/yt-dlp"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        var settings = Network.Settings()
        settings.variable = { $0 == "PATH" ? scratch.folder + ":relative" : nil }
        change(&settings)
        return (YtDlpService(network: Network(settings)), scratch)
    }

    private func failure(_ script: String?, _ change: (inout Network.Settings) -> Void = { _ in }) throws
        -> ServiceError?
    {
        let (service, scratch) = try service(script, change)
        defer { withExtendedLifetime(scratch) {} }
        do throws(ServiceError) {
            _ = try service.search(SearchQuery(words: "x"), limit: 1, page: nil)
            return nil
        } catch { return error }
    }

    @Test("it gets words as one argument behind --, and no shell sees them")
    func arguments() throws {
        let (service, scratch) = try service(
            #"for a in "$@"; do printf '%s\n' "$a" >> "$0.log"; done; echo '{"_type":"playlist","extractor":"youtube:search","entries":[{"_type":"url","ie_key":"Youtube","id":"aaaaaaaaa01","url":"https://www.youtube.com/watch?v=aaaaaaaaa01","title":"One"}]}'"#
        )
        let words = "--exec 'touch x' $(id) ; `id` \"q\""
        let page = try service.search(SearchQuery(words: words), limit: 7, page: nil)
        #expect(page.next == nil && page.isCounted && page.calls == 1)
        let records = try page.records()
        #expect(records.map(\.id) == ["aaaaaaaaa01"] && records[0].provider == "youtube" && records[0].title == "One")
        let log = try String(contentsOfFile: scratch.folder + "/yt-dlp.log", encoding: .utf8)
        #expect(log.hasSuffix("--\nytsearch7:\(words)\n"))
        #expect(log.hasPrefix("--ignore-config\n") && log.contains("--flat-playlist\n"))
        _ = try service.lookUp(.uploads("@name"), limit: 3, page: nil)
        let second = try String(contentsOfFile: scratch.folder + "/yt-dlp.log", encoding: .utf8)
        #expect(second.hasSuffix("--playlist-end\n3\n--\nhttps://www.youtube.com/%40name/videos\n"))
    }

    @Test("what it is given to read is YouTube's, whatever a reference says")
    func references() throws {
        let (service, scratch) = try service("echo called >> \"$0.log\"; echo '{}'")
        for text in ["https://evil.example/x", "file:///etc/passwd", "https://vimeo.com/1", "a b", ""] {
            #expect(throws: ServiceError.self) { try service.lookUp(.uploads(text), limit: 1, page: nil) }
            #expect(throws: ServiceError.self) { try service.lookUp(.items(text), limit: 1, page: nil) }
        }
        #expect(throws: ServiceError.emptyQuery(service: "ytdlp")) {
            try service.search(SearchQuery(words: " "), limit: 1, page: nil)
        }
        #expect(throws: ServiceError.optionNotHonoured(service: "ytdlp", option: .order)) {
            try service.search(SearchQuery(words: "a", options: [.order: .text("date")]), limit: 1, page: nil)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/yt-dlp.log"))
    }

    @Test("missing, old, garbage and failing are told apart")
    func failures() throws {
        #expect(try failure(nil) == .noProgram(service: "ytdlp", program: "yt-dlp"))
        #expect(
            try failure("echo 'yt-dlp: error: no such option: --dump-single-json' >&2; exit 2")
                == .programFailed(service: "ytdlp", .tooOld("yt-dlp: error: no such option: --dump-single-json")))
        #expect(try failure("echo '<html>'") == .badAnswer(service: "ytdlp", reason: "it is no JSON"))
        #expect(try failure("true") == .badAnswer(service: "ytdlp", reason: "it is no JSON"))
        #expect(
            try failure("echo 'WARNING: a' >&2; printf 'ERROR: \\033[31mSign in\\033[0m\\n' >&2; exit 1").map {
                "\($0)"
            }?
            .contains("\u{1B}") == false)
        #expect(
            try failure("echo 'ERROR: HTTP Error 429: Too Many Requests' >&2; exit 1")
                == .tooFast(service: "ytdlp", status: 429, wait: nil))
        guard case .unreachable = try failure("echo 'ERROR: Unable to download: Name or service not known' >&2; exit 1")
        else { throw Wrong() }
        #expect(try failure("exit 1") == .programFailed(service: "ytdlp", .said("", status: 1)))
        #expect(try failure("kill -9 $$").map { "\($0)" }?.contains("137") == true)
        #expect(try failure("echo '{}'", { $0.isOffline = true }) == .offline(service: "ytdlp"))
    }

    @Test("one that hangs is stopped when nobody wants it any more, and whatever it started with it")
    func hanging() throws {
        let (service, scratch) = try service("sleep 60 & echo $! > \"$0.pid\"; sleep 60")
        let token = CancellationToken()
        LoopbackServer.thread {
            Thread.sleep(forTimeInterval: 0.5)
            token.cancel()
        }
        let start = Date()
        #expect(throws: ServiceError.programFailed(service: "ytdlp", .killed("it was no longer wanted"))) {
            try token.withValue { () throws(ServiceError) in
                try service.search(SearchQuery(words: "x"), limit: 1, page: nil)
            }
        }
        #expect(Date().timeIntervalSince(start) < 5)
        let text = try String(contentsOfFile: scratch.folder + "/yt-dlp.pid", encoding: .utf8)
        let pid = try #require(Int32(text.filter(\.isNumber)))
        // It may take a moment until the system has taken it away; a zombie is nobody's any more.
        var state = "?"
        for _ in 0..<50 where state != "" && state != "Z" {
            let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            state = status.split(separator: ") ").last.map { String($0.prefix(1)) } ?? ""
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(state == "" || state == "Z")
    }
}
