// Threads that nobody waits for.

import Glibc

package enum Thread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the body on a thread that nobody waits for; false when there can be none.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
