// Buffers the output of a run in blocks. A block is sent through the gate when it is full or, on a terminal, at the end
// of each line.

import Gate
import HostErrors

/// The output of one run on the plugin's side of the gate.
package final class OutputBuffer {
    /// Properties of the output that plugins can query.
    package struct Target: Sendable {
        /// Columns of the terminal or of `--width`; nil if line length is not limited.
        package var columns: Int?
        package var isTerminal = false
        package var allowsColor = false
        /// The mark of the host's own links, which the terminal's filter checks; "" to write no links.
        package var linkMark = ""

        package init(columns: Int? = nil, isTerminal: Bool = false, allowsColor: Bool = false, linkMark: String = "") {
            self.columns = columns
            self.isTerminal = isTerminal
            self.allowsColor = allowsColor
            self.linkMark = linkMark
        }
    }

    private static let blockSize = 64 << 10

    let target: Target
    private let budgets: Budgets
    private unowned let gate: any Gate
    private var pending: [UInt8] = []
    private(set) var written = 0
    /// Why a block could not be written. A plugin cannot swallow this error, since the output would have a gap.
    private var failure: HostError?
    private var isOver = false
    /// Whether writes are discarded.
    private var isMuted: Bool

    /// - Parameter isMuted: whether writes are discarded until `unmute`.
    package init(target: Target, budgets: Budgets, gate: any Gate, isMuted: Bool = false) {
        self.isMuted = isMuted
        self.target = target
        self.budgets = budgets
        self.gate = gate
        // Room for a block and the write that fills it. Unused capacity costs nothing.
        pending.reserveCapacity(Self.blockSize + Self.blockSize / 4)
    }

    /// Rejects further writes: the output is complete.
    package func end() {
        failure = .cannotWrite(path: "the output", reason: "it is complete; yt.log can still say something")
        isOver = true
    }

    /// Stops discarding writes.
    package func unmute() {
        pending.removeAll(keepingCapacity: true)
        isMuted = false
    }

    package func append(_ bytes: some Sequence<UInt8>) throws(HostError) {
        pending.append(contentsOf: bytes)
        try sendIfFull()
    }

    /// Lets a body append in place, without a copy. The bytes are moved out meanwhile: holding exclusive access during
    /// the body would be checked at run time, which costs more than most bodies.
    func append(with body: (inout [UInt8]) -> Void) throws(HostError) {
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        body(&bytes)
        swap(&bytes, &pending)
        try sendIfFull()
    }

    package func endLine() throws(HostError) {
        pending.append(UInt8(ascii: "\n"))
        if target.isTerminal { try flush() } else { try sendIfFull() }
    }

    package func flush() throws(HostError) {
        if let failure { throw failure }
        if isMuted { pending.removeAll(keepingCapacity: true) }
        guard !pending.isEmpty else { return }
        written += pending.count
        // Cleared after the request, when the bytes are uniquely referenced again, so that their memory is reused.
        defer { pending.removeAll(keepingCapacity: true) }
        do throws(HostError) { _ = try gate.ask(.write(pending)) } catch {
            failure = error
            throw error
        }
    }

    private func sendIfFull() throws(HostError) {
        if isOver, let failure { throw failure }
        if pending.count < Self.blockSize { return }
        // Counted here as well as at the gate, so that the error can name the plugin's line.
        if budgets.output > 0, written + pending.count > budgets.output { throw .budgetSpent(.output, budgets) }
        try flush()
    }
}
