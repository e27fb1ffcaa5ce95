import Glibc
import TestSupport
import Testing

@testable import WebClient

@Suite("Credentials on the disk")
struct CredentialTests {
    private let scratch = StoreScratch()
    private var folder: String { scratch.folder + "/keys" }
    private var store: CredentialStore { CredentialStore(folder: folder) }
    private let key = Secret("AIza=\n100% secret ü")

    private func cleaning(_ body: () throws -> Void) rethrows {
        defer {
            for name in ["default", "work", ".chosen", "other"] { unlink("\(folder)/youtube/\(name)") }
            rmdir(folder + "/youtube")
            unlink(folder + "/youtube")
            rmdir(folder)
        }
        try body()
    }

    @Test("profiles are kept by name, for the user alone, and one is chosen")
    func profiles() throws {
        try cleaning {
            #expect(try store.read("youtube") == nil)
            #expect(try store.profiles("youtube") == [])
            try store.write(Credentials(["key": key]), "youtube")
            try store.write(
                Credentials(["token": Secret("t"), "scope": Secret("public private")]), "youtube", profile: "work")
            #expect(try store.profiles("youtube") == ["default", "work"])
            #expect(try store.read("youtube")?["key"] == key)
            try store.choose("youtube", profile: "work")
            #expect(try store.read("youtube")?["scope"]?.reveal() == "public private")
            #expect(try store.read("youtube", profile: "default")?["key"]?.reveal() == key.reveal())
            for (name, mode) in [
                ("", 0o700), ("/youtube", 0o700), ("/youtube/default", 0o600), ("/youtube/.chosen", 0o600),
            ] {
                #expect(scratch.mode("/keys" + name).map(Int.init) == mode)
            }
            #expect(try store.delete("youtube", profile: "work"))
            #expect(try store.delete("youtube", profile: "work") == false)
            #expect(try store.read("youtube") == nil)
            #expect(!"\(Credentials(["key": key]))".contains("AIza"))
        }
    }

    @Test("a file that others can read is refused, and so is an open folder")
    func modes() throws {
        try cleaning {
            try store.write(Credentials(["key": key]), "youtube")
            chmod(folder + "/youtube/default", 0o640)
            #expect(throws: CredentialError.unsafe(path: folder + "/youtube/default", .mode(0o640))) {
                try store.read("youtube")
            }
            chmod(folder + "/youtube", 0o755)
            #expect(throws: CredentialError.unsafe(path: folder + "/youtube", .mode(0o755))) {
                try store.write(Credentials(), "youtube")
            }
        }
    }

    @Test("links are not followed, when reading or writing")
    func links() throws {
        try cleaning {
            try store.write(Credentials(["key": key]), "youtube", profile: "other")
            symlink("other", folder + "/youtube/default")
            #expect(throws: CredentialError.unsafe(path: folder + "/youtube/default", .link)) {
                try store.read("youtube")
            }
            // Writing puts a file in the link's place, and leaves what it led to.
            try store.write(Credentials(["key": Secret("new")]), "youtube")
            #expect(try store.read("youtube", profile: "other")?["key"] == key)
            for name in ["default", "other"] { unlink("\(folder)/youtube/\(name)") }
            rmdir(folder + "/youtube")
            symlink("/tmp", folder + "/youtube")
            #expect(throws: CredentialError.unsafe(path: folder + "/youtube", .link)) {
                try store.write(Credentials(["key": key]), "youtube")
            }
        }
    }

    @Test("a name that is a path is refused", arguments: ["", "..", "a/b", ".chosen", "ü", "a b", "a\0b"])
    func names(name: String) {
        #expect(throws: CredentialError.badName(name)) { try store.write(Credentials(), "youtube", profile: name) }
        #expect(throws: CredentialError.badName(name)) { try store.read(name) }
    }
}
