// What tests with random input share: how long they run, which random numbers they get, and how bytes are spoilt. Each
// runs for a moment; `scripts/soak fuzz` has them run for longer (YTHOST_FUZZ_SECONDS). A test puts the seed into its
// messages, so that a failure can be had again (YTHOST_FUZZ_SEED).

import Foundation

public enum Fuzz {
    private static let environment = ProcessInfo.processInfo.environment
    public static let seconds = environment["YTHOST_FUZZ_SECONDS"].flatMap { Double($0) } ?? 0.5
    public static let seed =
        environment["YTHOST_FUZZ_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

    /// SplitMix64.
    public struct Random: RandomNumberGenerator {
        private var state: UInt64

        public init(seed: UInt64 = Fuzz.seed) { state = seed }

        public mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    /// Runs the body until the time is over.
    public static func forAWhile(
        _ share: Double = 1, _ body: (inout Random) throws -> Void
    ) rethrows {
        var random = Random()
        let end = ContinuousClock.now + .seconds(seconds * share)
        while ContinuousClock.now < end { try body(&random) }
    }
}
