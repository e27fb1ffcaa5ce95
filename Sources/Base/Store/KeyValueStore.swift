// A persistent key-value store shared by processes. Values are opaque bytes.

/// Entries addressed by a space and a key. All methods are thread-safe and atomic.
public protocol KeyValueStore: Sendable {
    /// Returns the entry; nil when it is missing or expired.
    func get(_ key: String, in space: String) throws(StoreError) -> StoreEntry?

    /// Inserts or replaces an entry.
    ///
    /// - Parameter expires: epoch seconds at which the entry expires; nil for never.
    func put(_ value: [UInt8], for key: String, in space: String, expires: Int64?) throws(StoreError)

    /// Reads and modifies one entry atomically, across threads and processes.
    ///
    /// - Parameter change: receives the current value, nil when there is none, and replaces it in place. Setting it to
    ///   nil deletes the entry. It must not use the store.
    func update<Result>(
        _ key: String, in space: String, expires: Int64?, _ change: (inout [UInt8]?) -> Result
    ) throws(StoreError) -> Result

    /// Deletes an entry. Does nothing when it is missing.
    func delete(_ key: String, in space: String) throws(StoreError)

    /// Deletes all entries of a space, or of every space when nil, and frees the disk space. Returns the number of
    /// deleted entries.
    @discardableResult
    func deleteAll(in space: String?) throws(StoreError) -> Int

    /// Deletes expired entries. Returns their number.
    @discardableResult
    func deleteExpired() throws(StoreError) -> Int

    /// Lists entries without their values, sorted by space and key; nil lists every space.
    func list(in space: String?) throws(StoreError) -> [StoreItem]
}

/// One entry with its value.
public struct StoreEntry: Sendable, Equatable {
    public var value: [UInt8]
    /// Epoch seconds.
    public var written: Int64
    /// Epoch seconds; nil for never.
    public var expires: Int64?
}

/// One entry without its value.
public struct StoreItem: Sendable, Equatable {
    public var space: String
    public var key: String
    /// Accounted size in bytes, including the key.
    public var size: Int
    /// Epoch seconds.
    public var written: Int64
    /// Epoch seconds of the last use, with a precision of one minute.
    public var used: Int64
    public var expires: Int64?
}

/// Why a store operation failed.
public enum StoreError: Error, Sendable, Equatable {
    /// The file or its folder cannot be opened or created.
    case cannotOpen(path: String, reason: String)
    /// The file has a newer schema version than this program supports.
    case newer(path: String, version: Int)
    /// The disk is full.
    case full(path: String)
    /// Another process held the lock until the timeout.
    case busy(path: String)
    /// The file is damaged and could not be replaced.
    case corrupt(path: String)
    /// The entry exceeds the size limit, in bytes.
    case tooLarge(size: Int, limit: Int)
    case failed(path: String, reason: String)
}

/// A problem that was repaired.
public enum StoreWarning: Sendable, Equatable {
    /// A damaged file was renamed and replaced by an empty one.
    case setAside(path: String, as: String)
}
