// What a run writes, gathered into blocks. A plugin's writes land here, and leave through the gate when a block is full
// or, on a terminal, at each line's end.

import Gate
import HostErrors

/// The output of one run on the plugin's side of the gate.
package final class OutputBuffer {
    /// What plugins ask about where their output goes.
    package struct Target: Sendable {
        /// Columns of the terminal or of `--width`; nil when lines may be of any length.
        package var columns: Int?
        package var isTerminal = false
        package var allowsColor = false
        /// What the host's own links bear, so that the filter of the terminal knows them; "" where there shall be none.
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
    /// Why a block could not be written: what a plugin may not swallow, since the rest would be output with a hole.
    private var failure: HostError?
    private var isOver = false
    /// What is written goes nowhere.
    private var isMuted: Bool

    /// - Parameter isMuted: whether what is written goes nowhere, until `unmute`.
    package init(target: Target, budgets: Budgets, gate: any Gate, isMuted: Bool = false) {
        self.isMuted = isMuted
        self.target = target
        self.budgets = budgets
        self.gate = gate
        // A block and the piece that makes it full; room that is not used costs nothing.
        pending.reserveCapacity(Self.blockSize + Self.blockSize / 4)
    }

    /// Nothing more can be written: it is safe where it went.
    package func end() {
        failure = .cannotWrite(path: "the output", reason: "it is complete; yt.log can still say something")
        isOver = true
    }

    /// What is written from now on is output.
    package func unmute() {
        pending.removeAll(keepingCapacity: true)
        isMuted = false
    }

    package func append(_ bytes: some Sequence<UInt8>) throws(HostError) {
        pending.append(contentsOf: bytes)
        try sendIfFull()
    }

    /// Lets a body append in place, without a copy. The bytes are taken out meanwhile: an access to them that lasts
    /// through the body would be tracked at run time, which costs more than most bodies.
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
        // Emptied when the request is over and the bytes are ours alone again, so that their memory is used again.
        defer { pending.removeAll(keepingCapacity: true) }
        do throws(HostError) { _ = try gate.ask(.write(pending)) } catch {
            failure = error
            throw error
        }
    }

    private func sendIfFull() throws(HostError) {
        if isOver, let failure { throw failure }
        if pending.count < Self.blockSize { return }
        // Counted here as well as at the gate, so that the message can name the plugin's line.
        if budgets.output > 0, written + pending.count > budgets.output { throw .budgetSpent(.output, budgets) }
        try flush()
    }
}
