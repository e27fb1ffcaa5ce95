// Bytes under names, kept from run to run and shared by processes. What they mean is for whoever keeps them.

/// Entries with a key in a space. All methods may be called from any thread; each is done whole or not at all.
public protocol KeyValueStore: Sendable {
    /// An entry that has not expired; nil when there is none.
    func get(_ key: String, in space: String) throws(StoreError) -> StoreEntry?

    /// Keeps an entry, in place of one that was there.
    ///
    /// - Parameter expires: epoch seconds from which on it is gone; nil for never.
    func put(_ value: [UInt8], for key: String, in space: String, expires: Int64?) throws(StoreError)

    /// Changes one entry: nobody else, in this process or another, reads or changes it meanwhile.
    ///
    /// - Parameter change: gets the value, nil when there is none, and leaves the new one, nil to delete it. It must not
    ///   use the store.
    func update<Result>(
        _ key: String, in space: String, expires: Int64?, _ change: (inout [UInt8]?) -> Result
    ) throws(StoreError) -> Result

    /// Deletes an entry; nothing happens when there is none.
    func delete(_ key: String, in space: String) throws(StoreError)

    /// Deletes all entries of a space, or of every space, and gives room back to the disk. How many there were.
    @discardableResult
    func deleteAll(in space: String?) throws(StoreError) -> Int

    /// Deletes what has expired. How many there were.
    @discardableResult
    func deleteExpired() throws(StoreError) -> Int

    /// What is there, without values: by key, in a space or in all.
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
    /// Bytes it counts for, those of the key included.
    public var size: Int
    /// Epoch seconds.
    public var written: Int64
    /// Epoch seconds of the last use, exact to a minute.
    public var used: Int64
    public var expires: Int64?
}

/// Why the store could not do something. Facts only.
public enum StoreError: Error, Sendable, Equatable {
    /// The file or its folder cannot be opened or made.
    case cannotOpen(path: String, reason: String)
    /// The file was written by a newer program.
    case newer(path: String, version: Int)
    /// The disk is full.
    case full(path: String)
    /// Another process kept it locked for too long.
    case busy(path: String)
    /// The file is damaged, and could not be replaced.
    case corrupt(path: String)
    /// An entry is larger than the store takes, in bytes.
    case tooLarge(size: Int, limit: Int)
    case failed(path: String, reason: String)
}

/// Something that went wrong and was mended.
public enum StoreWarning: Sendable, Equatable {
    /// A damaged file was renamed, and an empty one took its place.
    case setAside(path: String, as: String)
}
