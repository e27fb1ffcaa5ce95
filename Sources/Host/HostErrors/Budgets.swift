// Resource limits of a run. Zero means no limit.

import Basics

/// Limits of one run.
public struct Budgets: Sendable, Equatable {
    /// The limited resources, by the names that `--budget` takes.
    public enum Name: String, CaseIterable, Sendable {
        case memory, cpu, wall, output, requests, calls, instructions
    }

    /// Bytes of Lua memory, including the records it holds.
    public var memory = 256 << 20
    /// Seconds of CPU time.
    public var cpu = 60.0
    /// Seconds of wall-clock time.
    public var wall = 600.0
    /// Bytes written.
    public var output = 1 << 30
    /// Pages requested from sources.
    public var requests = 1000
    /// Calls counted by services.
    public var calls = 100
    /// Lua VM instructions. Counting them makes Lua slower.
    public var instructions: Int64 = 0

    public init() {}

    /// Maximum bytes of a document, so that parsing it does not exhaust the memory; nil for no limit.
    package var roomForDocument: Int? { memory > 0 ? memory / 3 : nil }

    /// No limits.
    public static var none: Budgets {
        var budgets = Budgets()
        for name in Name.allCases { budgets.set(name, 0) }
        return budgets
    }

    /// Reads `memory=64M,cpu=2s,wall=none`.
    ///
    /// - Throws: `.usage` naming the invalid part.
    public mutating func apply(_ text: String) throws(HostError) {
        if text == "none" {
            self = .none
            return
        }
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = Name(rawValue: parts[0]) else {
                throw .usage(
                    "--budget: there is no budget '\(parts[0])'; "
                        + Nearest.advice(for: parts[0], among: Name.allCases.map(\.rawValue)))
            }
            guard parts.count == 2, let value = parts[1] == "none" ? 0 : Self.read(parts[1], name) else {
                throw .usage(
                    "--budget: \(parts[0]) takes \(Self.form(name)), or none",
                    hint: "such as --budget memory=64M,cpu=2s,wall=5s,output=1M,requests=10")
            }
            set(name, value)
        }
    }

    private static func form(_ name: Name) -> String {
        switch name {
        case .memory, .output: "bytes such as 64M"
        case .cpu, .wall: "a time such as 2s or 5m"
        case .requests, .calls, .instructions: "a count"
        }
    }

    /// A positive value in the budget's unit.
    private static func read(_ text: String, _ name: Name) -> Double? {
        var digits = text
        var factor = 1.0
        switch name {
        case .cpu, .wall:
            if text.hasSuffix("ms") {
                digits.removeLast(2)
                factor = 0.001
            } else if text.last == "s" {
                digits.removeLast()
            } else if Double(text) == nil {
                return VideoDuration.parse(text).map(Double.init).flatMap { $0 > 0 ? $0 : nil }
            }
        case .memory, .output, .instructions, .requests, .calls:
            let factors: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
            if let last = text.lowercased().last, let found = factors[last] {
                digits.removeLast()
                factor = found
            }
        }
        guard let first = digits.first, first.isNumber, let number = Double(digits), number.isFinite else { return nil }
        let value = number * factor
        return value > 0 && value < 9e15 ? value : nil
    }

    private mutating func set(_ name: Name, _ value: Double) {
        switch name {
        case .memory: memory = Int(value)
        case .cpu: cpu = value
        case .wall: wall = value
        case .output: output = Int(value)
        case .requests: requests = Int(value)
        case .calls: calls = Int(value)
        case .instructions: instructions = Int64(value)
        }
    }

    /// Twice a budget in readable form, for hints.
    func doubled(_ name: Name) -> String {
        var more = self
        more.memory *= 2
        more.cpu *= 2
        more.wall *= 2
        more.output *= 2
        more.requests *= 2
        more.calls *= 2
        more.instructions *= 2
        return more.shown(name)
    }

    /// A budget in readable form.
    public func shown(_ name: Name) -> String {
        func bytes(_ count: Int) -> String {
            count >= 1 << 20 && count % (1 << 20) == 0
                ? "\(count >> 20)M" : count % 1024 == 0 ? "\(count >> 10)K" : "\(count)"
        }
        func time(_ seconds: Double) -> String { seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s" }
        return switch name {
        case .memory: bytes(memory)
        case .cpu: time(cpu)
        case .wall: time(wall)
        case .output: bytes(output)
        case .requests: "\(requests)"
        case .calls: "\(calls)"
        case .instructions: "\(instructions)"
        }
    }
}
