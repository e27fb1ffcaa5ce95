// A key-value store in one SQLite file, opened on first use. Several processes use the file at once, and any of them
// may be killed at any moment.

import Glibc
import Threads

/// Settings of a `SQLiteStore`.
public struct StoreOptions: Sendable {
    /// Maximum total size of all entries in bytes; the least recently used entries are evicted first. nil for no limit.
    public var capacity: Int?
    /// Whether a write survives a power loss and not only a crash. Used for quota counters, which must not lose
    /// updates.
    public var isDurable = false
    /// Maximum file size in pages of 4 KiB, for tests of a full disk.
    var pages: Int?
    /// Called when a problem was repaired.
    public var warn: @Sendable (StoreWarning) -> Void = { _ in }
    /// The clock, in epoch seconds.
    public var now: @Sendable () -> Int64 = { Int64(time(nil)) }

    public init(capacity: Int? = nil, isDurable: Bool = false) {
        self.capacity = capacity
        self.isDurable = isDurable
    }
}

/// Entries in a file that only the user can access (mode 0600, in a folder with mode 0700).
public final class SQLiteStore: KeyValueStore {
    public let path: String
    private let options: StoreOptions
    private let state = Monitor<State>(State())

    /// Unchecked because it is only used while the lock is held.
    private struct State: @unchecked Sendable {
        var database: Database?
        /// Inode of the open file, to detect that another process replaced it.
        var file: ino_t = 0
    }

    /// - Parameter path: the file. It and its folder are created on first use.
    public init(path: String, options: StoreOptions = StoreOptions()) {
        self.path = path
        self.options = options
    }

    /// Size of the file and its write-ahead log in bytes; 0 when there is no file.
    public var sizeOnDisk: Int {
        ["", "-wal"].reduce(0) { $0 + (StoreFile.status(path + $1).map { Int($0.st_size) } ?? 0) }
    }

    // MARK: Entries

    public func get(_ key: String, in space: String) throws(StoreError) -> StoreEntry? {
        let now = options.now()
        return try withDatabase { (database) throws(StoreError) in
            let found = try database.run(
                "SELECT value, written, expires, used FROM entry WHERE space = ? AND key = ?",
                [.text(space), .text(key)]
            ) { row in
                (
                    entry: StoreEntry(value: row.bytes(0), written: row.integer(1) ?? 0, expires: row.integer(2)),
                    used: row.integer(3) ?? 0
                )
            }.first
            guard let found, found.entry.expires.map({ $0 > now }) ?? true else { return nil }
            // Updated at most once a minute, so that reads rarely write. An error is ignored, because reads must work
            // on a read-only disk.
            if self.options.capacity != nil, now - found.used >= 60 {
                try? database.run(
                    "UPDATE entry SET used = ? WHERE space = ? AND key = ?", [.integer(now), .text(space), .text(key)])
            }
            return found.entry
        }
    }

    public func put(_ value: [UInt8], for key: String, in space: String, expires: Int64?) throws(StoreError) {
        try withDatabase { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try self.put(value, key, space, expires, database)
            }
        }
    }

    public func update<Result>(
        _ key: String, in space: String, expires: Int64?, _ change: (inout [UInt8]?) -> Result
    ) throws(StoreError) -> Result {
        let now = options.now()
        return try withDatabase { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                let old =
                    try database.run(
                        "SELECT value, expires FROM entry WHERE space = ? AND key = ?", [.text(space), .text(key)]
                    ) { row in row.integer(1).map { $0 > now } ?? true ? row.bytes(0) : nil }.first ?? nil
                var value = old
                let result = change(&value)
                if let value {
                    if value != old { try self.put(value, key, space, expires, database) }
                } else if old != nil {
                    try database.run("DELETE FROM entry WHERE space = ? AND key = ?", [.text(space), .text(key)])
                }
                return result
            }
        }
    }

    private func put(
        _ value: [UInt8], _ key: String, _ space: String, _ expires: Int64?, _ database: Database
    ) throws(StoreError) {
        let size = value.count + key.utf8.count + Self.overhead
        if let capacity = options.capacity, size > capacity / 4 { throw .tooLarge(size: size, limit: capacity / 4) }
        let now = options.now()
        try database.run("DELETE FROM entry WHERE expires <= ?", [.integer(now)])
        try database.run(
            """
            INSERT INTO entry (space, key, size, written, used, expires, value) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)
            ON CONFLICT (space, key) DO UPDATE SET size = ?3, written = ?4, used = ?4, expires = ?5, value = ?6
            """,
            [
                .text(space), .text(key), .integer(Int64(size)), .integer(now), .integer(expires), .bytes(value),
            ])
        guard let capacity = options.capacity else { return }
        while true {
            let total = try database.run("SELECT bytes FROM total") { $0.integer(0) ?? 0 }.first ?? 0
            guard total > capacity else { return }
            // One at a time, because entries differ in size.
            try database.run(
                "DELETE FROM entry WHERE id = (SELECT id FROM entry WHERE NOT (space = ? AND key = ?) ORDER BY used, id LIMIT 1)",
                [.text(space), .text(key)])
            if database.changes == 0 { return }
        }
    }

    public func delete(_ key: String, in space: String) throws(StoreError) {
        try withDatabase { (database) throws(StoreError) in
            try database.run("DELETE FROM entry WHERE space = ? AND key = ?", [.text(space), .text(key)])
        }
    }

    @discardableResult
    public func deleteAll(in space: String?) throws(StoreError) -> Int {
        try withDatabase { (database) throws(StoreError) in
            if let space {
                try database.run("DELETE FROM entry WHERE space = ?", [.text(space)])
            } else {
                try database.run("DELETE FROM entry")
            }
            let count = database.changes
            try database.script("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
            return count
        }
    }

    @discardableResult
    public func deleteExpired() throws(StoreError) -> Int {
        let now = options.now()
        return try withDatabase { (database) throws(StoreError) in
            try database.run("DELETE FROM entry WHERE expires <= ?", [.integer(now)])
            let count = database.changes
            try database.script("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
            return count
        }
    }

    public func list(in space: String?) throws(StoreError) -> [StoreItem] {
        try withDatabase { (database) throws(StoreError) in
            let condition = space.map { _ in " WHERE space = ?" } ?? ""
            return try database.run(
                "SELECT space, key, size, written, used, expires FROM entry\(condition) ORDER BY space, key",
                space.map { [.text($0)] } ?? []
            ) { row in
                StoreItem(
                    space: row.text(0), key: row.text(1), size: Int(row.integer(2) ?? 0), written: row.integer(3) ?? 0,
                    used: row.integer(4) ?? 0, expires: row.integer(5))
            }
        }
    }

    // MARK: The file

    /// Approximate overhead of an entry in bytes, beside its key and value.
    private static let overhead = 128
    private static let version: Int64 = 1

    private func withDatabase<Result>(
        _ body: (Database) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // A `Sendable` constraint on the result would otherwise be required. The value does not leave this thread.
        nonisolated(unsafe) var outcome: Swift.Result<Result, StoreError>?
        state.withLock { state in
            for isLast in [false, true] {
                do throws(StoreError) {
                    let database = try open(&state)
                    outcome = .success(try body(database))
                    return
                } catch {
                    outcome = .failure(error)
                    guard case .corrupt = error, !isLast else { return }
                    state.database?.close()
                    state.database = nil
                    let name = path + ".corrupt"
                    if StoreFile.setAside(path, as: name, ifStill: state.file) {
                        options.warn(.setAside(path: path, as: name))
                    }
                }
            }
        }
        switch outcome {
        case .success(let result)?: return result
        case .failure(let error)?: throw error
        case nil: throw .failed(path: path, reason: "nothing was done")
        }
    }

    private func open(_ state: inout State) throws(StoreError) -> Database {
        if let database = state.database {
            // Another process may have renamed the file.
            if StoreFile.status(path)?.st_ino == state.file { return database }
            database.close()
            state.database = nil
        }
        state.file = try StoreFile.prepare(path)
        let database = try Database(path: path)
        // Several processes may set up the file at once. A process that finds it locked retries.
        for attempt in 0... {
            do throws(StoreError) {
                try setUp(database)
                break
            } catch {
                guard case .busy = error, attempt < 50 else { throw error }
                usleep(20_000)
            }
        }
        state.database = database
        return database
    }

    private func setUp(_ database: Database) throws(StoreError) {
        let known = try database.run("PRAGMA user_version") { $0.integer(0) ?? 0 }.first ?? 0
        guard known <= Self.version else { throw .newer(path: path, version: Int(known)) }
        if known == 0 { try database.script("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.run("PRAGMA journal_mode = WAL") { _ in }
        try database.script("PRAGMA synchronous = \(options.isDurable ? "FULL" : "NORMAL")")
        try database.script("PRAGMA journal_size_limit = 1048576")
        if let pages = options.pages { try database.run("PRAGMA max_page_count = \(pages)") { _ in } }
        guard known < Self.version else { return }
        try database.transaction { () throws(StoreError) in
            // Another process may have created the schema in the meantime.
            let known =
                try database.run("SELECT user_version FROM pragma_user_version") { $0.integer(0) ?? 0 }.first ?? 0
            if known < Self.version { try database.script(Self.schema) }
        }
    }

    /// Triggers maintain the sum of all sizes, so that checking the capacity is cheap.
    private static let schema = """
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY, space TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL,
            written INTEGER NOT NULL, used INTEGER NOT NULL, expires INTEGER, value BLOB NOT NULL, UNIQUE (space, key));
        CREATE INDEX entry_used ON entry (used);
        CREATE INDEX entry_expires ON entry (expires) WHERE expires IS NOT NULL;
        CREATE TABLE total (bytes INTEGER NOT NULL);
        INSERT INTO total VALUES (0);
        CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN UPDATE total SET bytes = bytes + new.size; END;
        CREATE TRIGGER entry_gone AFTER DELETE ON entry BEGIN UPDATE total SET bytes = bytes - old.size; END;
        CREATE TRIGGER entry_changed AFTER UPDATE OF size ON entry
            BEGIN UPDATE total SET bytes = bytes + new.size - old.size; END;
        PRAGMA user_version = \(version);
        """
}
