// An in-memory store for programs that do not want a file.

import Threads

/// Entries of one process, for the lifetime of the object. They do not expire.
public final class MemoryStore: KeyValueStore {
    private struct Place: Hashable {
        let space: String
        let key: String
    }
    private let values = Monitor<[Place: [UInt8]]>([:])

    public init() {}

    public func get(_ key: String, in space: String) -> StoreEntry? {
        values.withLock { $0[Place(space: space, key: key)] }.map { StoreEntry(value: $0, written: 0, expires: nil) }
    }

    public func put(_ value: [UInt8], for key: String, in space: String, expires: Int64?) {
        values.withLock { $0[Place(space: space, key: key)] = value }
    }

    public func update<Result>(
        _ key: String, in space: String, expires: Int64?, _ change: (inout [UInt8]?) -> Result
    ) -> Result {
        values.withLock { change(&$0[Place(space: space, key: key)]) }
    }

    public func delete(_ key: String, in space: String) {
        values.withLock { $0[Place(space: space, key: key)] = nil }
    }

    public func deleteAll(in space: String?) -> Int {
        values.withLock { values in
            let before = values.count
            values = values.filter { space != nil && $0.key.space != space }
            return before - values.count
        }
    }

    public func deleteExpired() -> Int { 0 }

    public func list(in space: String?) -> [StoreItem] {
        values.withLock { values in
            values.filter { space == nil || $0.key.space == space }
                .map { place, value in
                    StoreItem(
                        space: place.space, key: place.key, size: place.key.utf8.count + value.count, written: 0,
                        used: 0, expires: nil)
                }
                .sorted { ($0.space, $0.key) < ($1.space, $1.key) }
        }
    }
}
