// Something that happens once, and that threads wait for.

package final class Latch: Sendable {
    private let isOpen = Monitor(false)

    package init() {}

    package func open() { isOpen.withLock { $0 = true } }

    package func wait() { _ = isOpen.wait { $0 ? true : nil } }

    /// Whether it was opened before so many seconds were over.
    package func wait(seconds: Double) -> Bool {
        isOpen.wait(until: Clock.monotonic() + max(0, seconds)) { $0 ? true : nil } ?? false
    }
}
