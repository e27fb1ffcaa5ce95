import Glibc
import TestSupport
import Testing
import Threads

@testable import Store

@Suite("A store in a file", .timeLimit(.minutes(2)))
struct SQLiteStoreTests {
    private let scratch = StoreScratch()

    private func store(capacity: Int? = nil, _ change: (inout StoreOptions) -> Void = { _ in }) -> SQLiteStore {
        var options = StoreOptions(capacity: capacity)
        change(&options)
        return SQLiteStore(path: scratch.file, options: options)
    }

    @Test("an entry is what was put last, in its own space, also for who opens the file later")
    func entries() throws {
        let store = store()
        #expect(try store.get("a", in: "one") == nil)
        try store.put([1, 0, 255], for: "a", in: "one", expires: nil)
        try store.put([2], for: "a", in: "two", expires: nil)
        try store.put([], for: "b", in: "one", expires: nil)
        #expect(try store.get("a", in: "one")?.value == [1, 0, 255])
        #expect(try store.get("b", in: "one")?.value == [])
        try store.put([3], for: "a", in: "one", expires: nil)
        let later = self.store()
        #expect(try later.get("a", in: "one")?.value == [3])
        #expect(try later.get("a", in: "two")?.value == [2])
        try later.delete("a", in: "one")
        #expect(try store.get("a", in: "one") == nil)
        #expect(try store.list(in: nil).map { "\($0.space)/\($0.key)" } == ["one/b", "two/a"])
        #expect(try store.list(in: "two").map(\.size) == [130])
        #expect(try store.deleteAll(in: "two") == 1)
        #expect(try store.deleteAll(in: nil) == 1)
    }

    @Test("nothing is made before the first use, and what is made is for the user alone")
    func permissions() throws {
        umask(0)
        defer { umask(0o022) }
        let store = store()
        #expect(StoreFile.status(scratch.file) == nil)
        try store.put([1], for: "a", in: "s", expires: nil)
        #expect(scratch.mode("") == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(scratch.mode("/store.db\(suffix)") == 0o600) }
    }

    @Test("a file that others could read is closed to them; a link in its place is refused")
    func foreign() throws {
        try store().put([1], for: "a", in: "s", expires: nil)
        chmod(scratch.file, 0o644)
        _ = try store().get("a", in: "s")
        #expect(scratch.mode("/store.db") == 0o600)
        rename(scratch.file, scratch.folder + "/elsewhere")
        symlink(scratch.folder + "/elsewhere", scratch.file)
        #expect(throws: StoreError.cannotOpen(path: scratch.file, reason: "it is no plain file")) {
            try store().get("a", in: "s")
        }
    }

    @Test("an entry is gone when it has expired")
    func expiry() throws {
        let now = Monitor<Int64>(1000)
        let store = store { options in options.now = { now.withLock { $0 } } }
        try store.put([1], for: "a", in: "s", expires: 1010)
        try store.put([2], for: "b", in: "s", expires: nil)
        #expect(try store.get("a", in: "s") == StoreEntry(value: [1], written: 1000, expires: 1010))
        now.withLock { $0 = 1010 }
        #expect(try store.get("a", in: "s") == nil)
        #expect(try store.update("a", in: "s", expires: nil) { $0 } == nil)
        #expect(try store.deleteExpired() == 1)
        #expect(try store.list(in: nil).map(\.key) == ["b"])
    }

    @Test("the least recently used entries go when there is no more room, and the file does not outgrow it by much")
    func eviction() throws {
        let now = Monitor<Int64>(0)
        let store = store(capacity: 100_000) { options in options.now = { now.withLock { $0 } } }
        for number in 0..<100 {
            now.withLock { $0 += 100 }
            try store.put([UInt8](repeating: 1, count: 10_000), for: "\(number)", in: "s", expires: nil)
            // The first one is used all the time, and stays.
            #expect(try store.get("0", in: "s") != nil)
        }
        let items = try store.list(in: "s")
        #expect(items.map(\.size).reduce(0, +) <= 100_000)
        #expect(Set(items.map(\.key)) == Set(["0"] + (92..<100).map(String.init)))
        #expect(store.sizeOnDisk < 3_000_000)
        #expect(throws: StoreError.tooLarge(size: 30_129, limit: 25_000)) {
            try store.put([UInt8](repeating: 1, count: 30_000), for: "x", in: "s", expires: nil)
        }
        try store.deleteAll(in: nil)
        #expect(store.sizeOnDisk < 100_000)
    }

    @Test("a damaged file is set aside with a warning, and a new one takes its place", arguments: [0, 2, 5000])
    func damage(offset: Int) throws {
        do {
            let store = store()
            for number in 0..<200 {
                try store.put([UInt8](repeating: 7, count: 500), for: "\(number)", in: "s", expires: nil)
            }
            try store.deleteExpired()
        }
        let descriptor = open(scratch.file, O_RDWR)
        let noise = [UInt8](repeating: 0xA5, count: 40_000)
        _ = pwrite(descriptor, noise, noise.count, offset)
        close(descriptor)
        let warnings = Monitor<[StoreWarning]>([])
        let store = store { options in options.warn = { warning in warnings.withLock { $0.append(warning) } } }
        for number in 0..<200 { try store.put([8], for: "\(number)", in: "s", expires: nil) }
        #expect(try store.list(in: "s").count == 200)
        #expect(try store.get("5", in: "s")?.value == [8])
        #expect(warnings.withLock { $0 } == [.setAside(path: scratch.file, as: scratch.file + ".corrupt")])
        #expect(StoreFile.status(scratch.file + ".corrupt") != nil)
    }

    @Test("a full disk is told, what was there stays, and there is room again after deleting")
    func full() throws {
        let store = store { $0.pages = 40 }
        #expect(throws: StoreError.full(path: scratch.file)) {
            for number in 0..<1000 {
                try store.put([UInt8](repeating: 1, count: 2000), for: "\(number)", in: "s", expires: nil)
            }
        }
        #expect(try store.get("0", in: "s") != nil)
        try store.deleteAll(in: nil)
        try store.put([1], for: "a", in: "s", expires: nil)
        #expect(try store.get("a", in: "s") != nil)
    }

    @Test("a folder that cannot be made is told")
    func noFolder() {
        let file = scratch.folder + "/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: StoreError.cannotOpen(path: file, reason: "Not a directory")) {
            try SQLiteStore(path: file + "/store.db").get("a", in: "s")
        }
    }

    @Test("a file of a newer program is left alone")
    func newer() throws {
        try store().put([1], for: "a", in: "s", expires: nil)
        try Database(path: scratch.file).script("PRAGMA user_version = 9")
        #expect(throws: StoreError.newer(path: scratch.file, version: 9)) { try store().get("a", in: "s") }
        #expect(StoreFile.status(scratch.file + ".corrupt") == nil)
    }

    // MARK: Processes

    @Test("four processes that count together lose nothing")
    func counting() throws {
        let probes = (0..<4).map { _ in StoreProbe(["count", scratch.file, "n", "100"]) }
        for probe in probes { #expect(probe?.wait() == 0) }
        #expect(try store().get("n", in: "numbers")?.value == Array("400".utf8))
    }

    @Test("a process that is killed while it writes harms neither the file nor another process", arguments: 0..<8)
    func killed(round: Int) throws {
        let store = store(capacity: 4 << 20)
        for _ in 0..<3 {
            let probe = try #require(StoreProbe(["fill", scratch.file, "s"]))
            #expect(probe.waitFor("busy"))
            usleep(useconds_t.random(in: 0..<30_000))
            try store.put([1], for: "mine", in: "other", expires: nil)
            probe.kill()
            #expect(try store.get("mine", in: "other")?.value == [1])
            for item in try store.list(in: "s") {
                // Every entry is whole: of one byte, as long as it was said to be.
                let entry = try #require(try store.get(item.key, in: "s"))
                #expect(Set(entry.value).count == 1)
                #expect(entry.value.count + item.key.utf8.count + 128 == item.size)
            }
        }
        let check = try Database(path: scratch.file).run("PRAGMA integrity_check") { $0.text(0) }
        #expect(check == ["ok"])
        let total = try Database(path: scratch.file).run("SELECT bytes FROM total") { $0.integer(0) ?? -1 }
        #expect(total == [Int64(try store.list(in: nil).map(\.size).reduce(0, +))])
        #expect(StoreFile.status(scratch.file + ".corrupt") == nil)
    }
}
