// Access to the files embedded in the program (CResources).

import CResources

/// An embedded file.
package struct Resource: Sendable {
    private let name: cresources_name

    package static let sample = Resource(name: CRESOURCES_SAMPLE)
    package static let prelude = Resource(name: CRESOURCES_PRELUDE)
    package static let preludeMethods = Resource(name: CRESOURCES_PRELUDE_METHODS)
    package static let preludeTasks = Resource(name: CRESOURCES_PRELUDE_TASKS)
    package static let playerScript = Resource(name: CRESOURCES_PLAYER_SCRIPT)
    package static let playerStyle = Resource(name: CRESOURCES_PLAYER_STYLE)

    /// The contents, without copying; valid for the lifetime of the process.
    package var buffer: UnsafeBufferPointer<UInt8> {
        let file = cresources_get(name)
        return UnsafeBufferPointer(start: file.bytes, count: file.count)
    }

    /// A copy of the contents.
    package var bytes: [UInt8] { Array(buffer) }
}
