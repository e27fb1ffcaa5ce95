// A one-shot event that threads can wait for.

package final class Latch: Sendable {
    private let isOpen = Monitor(false)

    package init() {}

    package func open() { isOpen.withLock { $0 = true } }

    package func wait() { _ = isOpen.wait { $0 ? true : nil } }

    /// Waits up to that many seconds. Returns whether the latch was opened.
    package func wait(seconds: Double) -> Bool {
        isOpen.wait(until: Clock.monotonic() + max(0, seconds)) { $0 ? true : nil } ?? false
    }
}
