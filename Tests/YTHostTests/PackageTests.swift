// What packages are made of: paths, versions, manifests, sources, locks. The command's tests have the attacks.

import Foundation
import TestSupport
import Testing

@testable import Files
@testable import HostErrors
@testable import Packages

@Suite struct PackageTests {
    private static let manifest =
        #"{"name": "team", "version": "1.0.0", "api": 1, "licence": "MIT", "plugins": ["a.lua"]}"#

    private static func files(_ manifest: String = manifest, _ more: [(String, String)] = []) throws -> PackageFiles {
        try PackageFiles(
            ([("ythost.json", manifest), ("a.lua", "return {}")] + more).map { (path: $0.0, bytes: Array($0.1.utf8)) })
    }

    @Test("versions are ordered as semver.org orders them")
    func versions() throws {
        let order = [
            "0.0.1", "0.9.10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1", "1.0.0-rc.9999999999", "1.0.0-rc.10000000000", "1.0.0-rc.123456789012345678901", "1.0.0",
            "1.0.1+build.007", "1.2.0", "1.10.0", "2.0.0",
        ]
        let versions = try order.map { try #require(PackageVersion($0)) }
        for (index, version) in versions.enumerated() {
            #expect(version.description == order[index])
            for (other, against) in versions.enumerated() { #expect((version < against) == (index < other)) }
        }
    }

    @Test(
        "what is no version",
        arguments: [
            "", "1", "1.2", "1.2.3.4", "v1.0.0", "01.0.0", "1.0.-1", "1.0.0-", "1.0.0-a..b", "1.0.0 ", "1.0.0-ä",
            "1.0.99999999999", "1.0.0+", "1.0.0+a+b", "1.0.0-01", "1.0.0+a..b", "1.0.0-a_b",
            "1.0.0-" + String(repeating: "a", count: 95),
        ])
    func noVersion(text: String) { #expect(PackageVersion(text) == nil) }

    @Test("what a version was built of has no say in the order")
    func builds() throws {
        let (one, other) = (try #require(PackageVersion("1.0.0+a")), try #require(PackageVersion("1.0.0+b")))
        #expect(!(one < other) && !(other < one) && one != other)
    }

    @Test("what is canonical stays as it is", arguments: ["a\r\r\nb", "\r\r\r\n\n\r\n", "a\rb", "\r\n", "\r"])
    func canonical(text: String) {
        let once = PackageFiles.canonical(Array(text.utf8))
        #expect(PackageFiles.canonical(once) == once && !String(decoding: once, as: UTF8.self).contains("\r\n"))
    }

    @Test("the digest is the same in any order and with either line end, and another when anything else changes")
    func digest() throws {
        let more = [("lib/b.lua", "one\ntwo\n"), ("lib/c.txt", "words")]
        let digest = try Self.files(Self.manifest, more).digest()
        #expect(try Self.files(Self.manifest, more.reversed()).digest() == digest)
        #expect(try Self.files(Self.manifest, [("lib/b.lua", "one\r\ntwo\r\n"), more[1]]).digest() == digest)
        for other in [
            [("lib/b.lua", "one\ntwo"), more[1]], [("lib/b.lua", "one\rtwo\n"), more[1]],
            [("lib/B2.lua", "one\ntwo\n"), more[1]], [more[0]], more + [("d.lua", "")],
            // What has a NUL is no text.
            [("lib/b.lua", "one\r\n\0two\n"), more[1]],
        ] { #expect(try Self.files(Self.manifest, other).digest() != digest) }
        // The signature is about the files, and none of them.
        #expect(try Self.files(Self.manifest, more + [("ythost.sig", "x")]).digest() == digest)
    }

    @Test(
        "manifests that are refused, with what is wrong",
        arguments: [
            ("{", "not JSON"), ("[]", "not an object"), (#"{"name": "Team"}"#, "'name' is"),
            (#"{"name": "lib"}"#, "'name' is"),
            (#"{"naem": "team"}"#, "did you mean 'name'"),
            (#"{"name": "team", "version": 1}"#, "'version' is"),
            (#"{"name": "team", "version": "1.0.0"}"#, "'api' is"),
            (#"{"name": "team", "version": "1.0.0", "api": 99}"#, "need version 99"),
            (#"{"name": "team", "version": "1.0.0", "api": 1}"#, "'licence' is"),
            (#"{"name": "team", "version": "1.0.0", "api": 1, "licence": "MIT", "plugins": []}"#, "is a list"),
            (#"{"name": "team", "version": "1.0.0", "api": 1, "licence": "MIT", "plugins": ["b.lua"]}"#, "no Lua file"),
            (
                #"{"name": "team", "version": "1.0.0", "api": 1, "licence": "MIT", "plugins": ["a.lua", "a.lua"]}"#,
                "bear the name"
            ),
        ])
    func manifest(text: String, words: String) throws {
        let files = try Self.files(text)
        #expect { try PackageManifest(of: files, place: "there") } throws: { error in
            (error as? HostError)?.report?.message.contains(words) == true
        }
    }

    @Test("sources as they are taken apart")
    func sources() throws {
        func git(_ text: String) throws -> PackageSource.GitPlace? {
            if case .git(let place) = try PackageSource(text) { place } else { nil }
        }
        let tagged = try #require(try git("git+https://example.org/team/plugins.git@v1.2#video/ours"))
        #expect(
            tagged
                == .init(
                    url: "https://example.org/team/plugins.git", isLocal: false, reference: "v1.2", folder: "video/ours"
                ))
        #expect(try git("git+ssh://git@example.org/x@feature/new")?.reference == "feature/new")
        #expect(try git("git+ssh://git@example.org/x")?.reference == nil)
        #expect(try git("git+file:///srv/x")?.url == "/srv/x")
        #expect(PackageSource.place(of: "git+https://example.org/x@v1#y") == "git+https://example.org/x#y")
        #expect(PackageSource.place(of: "https://example.org/x.tar") == "https://example.org/x.tar")
    }

    @Test("a lock is the same bytes after it was read and written")
    func lock() throws {
        let digest = String(repeating: "a", count: 64)
        let list = PackageFiles.list([("a.lua", digest)])
        var lock = PackageLock()
        lock.packages["team"] = PackageLock.Entry(
            version: try #require(PackageVersion("1.0.0")), api: 1, licence: "MIT",
            source: "git+https://example.org/x@v1",
            revision: "0123", digest: "sha256:" + (try Digest.sha256(list)),
            files: [.init(path: "a.lua", digest: digest)],
            plugins: [.init(path: "a.lua", grants: ["net:example.org"])], signer: "ada@example.org", key: "SHA256:x")
        let again = try PackageLock(lock.encoded(), path: "ythost.lock")
        #expect(again == lock && again.encoded() == lock.encoded())
    }

    @Test("random locks, manifests, policies and signatures are read or refused, and nothing else")
    func noise() throws {
        let seeds = [Self.manifest, #"{"packages": {"team": {"files": {"a.lua": "x"}, "plugins": {}}}, "version": 1}"#]
        var random = SystemRandomNumberGenerator()
        for round in 0..<4000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes.remove(at: place)
                }
            }
            do throws(HostError) { _ = try PackageLock(bytes, path: "l") } catch { #expect(error.report != nil) }
            do throws(HostError) {
                let files = try PackageFiles([("ythost.json", bytes), ("a.lua", [])])
                _ = try PackageManifest(of: files, place: "p")
            } catch { #expect(error.report != nil) }
            _ = PackageSignature(bytes)
        }
    }
}
