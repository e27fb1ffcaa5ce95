// Runs the built command as a process of its own, with the arguments, input and environment a test gives it.

import Foundation
import Testing

/// The command under test.
enum Command {
    /// How a run ended.
    struct Run {
        var code: Int32
        var output: String
        var errors: String
        var data: Data
    }

    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program that `scripts/test` built; without it the one that was built with the tests.
    static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["YTHOST_TEST_BINARY"] { return URL(filePath: path) }
        return root.appending(path: ".build/debug/ythost")
    }

    /// Runs it to the end, in the package's folder unless another is given.
    static func run(
        _ arguments: [String], input: Data? = nil, environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> Run {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.currentDirectoryURL = folder ?? root
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let source = Pipe()
        process.standardInput = source
        try process.run()
        let feeder = Thread {
            if let input { try? source.fileHandleForWriting.write(contentsOf: input) }
            try? source.fileHandleForWriting.close()
        }
        feeder.start()
        let collected = Collected()
        let reader = Thread {
            collected.set(errors.fileHandleForReading.readDataToEndOfFile())
        }
        reader.start()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(
            code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: data, as: UTF8.self), errors: String(decoding: collected.wait(), as: UTF8.self),
            data: data)
    }

    /// Bytes that another thread delivers.
    private final class Collected: @unchecked Sendable {  // guarded by its semaphore
        private var data = Data()
        private let ready = DispatchSemaphore(value: 0)
        func set(_ data: Data) {
            self.data = data
            ready.signal()
        }
        func wait() -> Data {
            ready.wait()
            return data
        }
    }
}
