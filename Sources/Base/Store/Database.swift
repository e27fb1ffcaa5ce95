// One SQLite connection and its prepared statements. It must be used by one thread at a time.

import CSQLite

final class Database {
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    private let path: String

    /// Busy timeout while another process holds a lock, in milliseconds.
    private static let patience: Int32 = 10_000

    init(path: String) throws(StoreError) {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
            let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            close()
            throw .cannotOpen(path: path, reason: reason)
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.patience)
    }

    deinit { close() }

    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close(handle)
        handle = nil
    }

    enum Value {
        case integer(Int64?)
        case text(String)
        case bytes([UInt8])
    }

    /// The current result row; valid until the next step.
    struct Row {
        fileprivate let statement: OpaquePointer
        func integer(_ column: Int32) -> Int64? {
            sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        }
        func text(_ column: Int32) -> String {
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }
        func bytes(_ column: Int32) -> [UInt8] {
            guard let start = sqlite3_column_blob(statement, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }

    /// Runs one statement. The prepared statement is cached.
    ///
    /// - Returns: the result of `read` for each row.
    @discardableResult
    func run<Result>(_ text: String, _ values: [Value] = [], _ read: (Row) -> Result) throws(StoreError) -> [Result] {
        let statement = try prepared(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code: Int32 =
                switch value {
                case .integer(let number?): sqlite3_bind_int64(statement, place, number)
                case .integer(nil): sqlite3_bind_null(statement, place)
                case .text(let text): csqlite_bind_text(statement, place, text)
                case .bytes(let bytes):
                    bytes.withUnsafeBytes { csqlite_bind_bytes(statement, place, $0.baseAddress, UInt64($0.count)) }
                }
            guard code == SQLITE_OK else { throw error(code) }
        }
        var results: [Result] = []
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: results.append(read(Row(statement: statement)))
            case SQLITE_DONE: return results
            default: throw error(code)
            }
        }
    }

    func run(_ text: String, _ values: [Value] = []) throws(StoreError) {
        try run(text, values) { _ in }
    }

    /// Runs several statements without bound values.
    func script(_ text: String) throws(StoreError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs the body in a transaction that holds SQLite's write lock from the start. An error rolls everything back.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try script("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try script("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back already.
            if sqlite3_get_autocommit(handle) == 0 { try? script("ROLLBACK") }
            throw error
        }
    }

    /// Number of rows changed by the last statement.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    private func prepared(_ text: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[text] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        statements[text] = statement
        return statement
    }

    private func error(_ code: Int32) -> StoreError {
        switch code & 0xFF {
        case SQLITE_FULL: return .full(path: path)
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy(path: path)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt(path: path)
        case SQLITE_IOERR where sqlite3_system_errno(handle) == 28 || sqlite3_system_errno(handle) == 122:
            return .full(path: path)  // ENOSPC, EDQUOT
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
            return .cannotOpen(path: path, reason: String(cString: sqlite3_errstr(code)))
        default: return .failed(path: path, reason: String(cString: sqlite3_errmsg(handle)))
        }
    }
}
