// Decodes pictures into pixels. Pictures are untrusted and decoders often have vulnerabilities, so each picture is
// decoded in its own sandboxed process, which returns only pixels. The process is started as a program, so that other
// threads may be running.

import CPicture
import CProcess
import Files
import Gate
import Glibc
import HostErrors
import Sandbox
import VideoFormats
import VideoModel

/// Rows of RGBA pixels, 4 bytes each.
struct Pixels: Sendable {
    let width, height: Int32
    let bytes: [UInt8]
}

/// Decodes each picture in a separate process.
public struct PictureDecoder: Sendable {
    /// The argument that makes the program run `serve`.
    public static let word = "--decode-picture"
    /// Limits of the process: CPU seconds, total seconds, and bytes on top of its initial memory. The memory fits a
    /// picture with the most pixels twice, with some spare.
    private static let cpuSeconds: UInt64 = 5
    private static let seconds = 15.0
    private static let memory: UInt64 = 384 << 20
    /// The allowed output width and height in pixels.
    static let sides: ClosedRange<Int32> = 1...4000

    private let program: String

    /// - Parameter program: the absolute path of ythost, which is run with `word`.
    public init(program: String) { self.program = program }

    /// - Parameters:
    ///   - most: the largest size in pixels; the picture is scaled down to fit.
    /// - Returns: the pixels, or nil and the reason when the picture cannot be decoded.
    /// - Throws: `.workerDied` or `.missingLibrary` for faults of the host itself.
    func pixels(of bytes: [UInt8], most: (width: Int32, height: Int32)) throws(HostError) -> (Pixels?, String) {
        func fit(_ side: Int32) -> Int32 { min(max(side, Self.sides.lowerBound), Self.sides.upperBound) }
        let (width, height) = (fit(most.width), fit(most.height))
        let run = ProgramRun(
            path: program, arguments: [Self.word, "\(width)", "\(height)"], input: bytes, timeout: Self.seconds,
            limit: Int(width) * Int(height) * 4 + 256)
        let outcome: ProgramRun.Outcome
        do throws(ProgramFault) { outcome = try run.run() } catch {
            throw .workerDied("no picture can be decoded: \(error.reason)")
        }
        // Signals other than those of a limit.
        if outcome.killed == nil, outcome.status > 128, ![SIGKILL, SIGXCPU].contains(Int32(outcome.status) - 128) {
            return (nil, "its decoder broke down over it, with signal \(outcome.status - 128)")
        }
        if outcome.killed != nil || outcome.status != 0 {
            return (nil, "it cannot be decoded within \(Int(Self.cpuSeconds)) seconds and \(Self.memory >> 20) MiB")
        }
        let head = outcome.output.prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: head.prefix(200), as: UTF8.self).split(separator: " ", maxSplits: 2).map(
            String.init)
        switch words.first {
        case "pixels":
            let body = Array(outcome.output.dropFirst(head.count + 1))
            guard words.count == 3, let across = Int32(words[1]), let down = Int32(words[2]), 1...width ~= across,
                1...height ~= down, body.count == Int(across) * Int(down) * 4
            else { throw .workerDied("the decoder of pictures said what nobody asked") }
            return (Pixels(width: across, height: down, bytes: body), "")
        case "missing":
            throw .missingLibrary("pictures of this kind cannot be shown", package: words.dropFirst().joined())
        case "no": return (nil, words.dropFirst().joined(separator: " "))
        default: throw .workerDied("the decoder of pictures ended without a word")
        }
    }

    // MARK: In the program

    /// The child's main function: decodes the picture on standard input and exits.
    public static func serve(_ arguments: [String]) -> Never {
        cpicture_load()
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 3, let bytes = input() else { cprocess_exit(1) }
        guard cprocess_limit(0, memory, cpuSeconds) else { cprocess_exit(1) }
        _ = cprocess_confine(output, false)
        let sides = arguments.compactMap { Int32($0) }.filter(self.sides.contains)
        guard sides.count == 2 else { cprocess_exit(1) }
        decode(bytes, sides[0], sides[1]) { bytes in
            try? DescriptorSink.write(bytes, to: output, name: "the pixels")
        }
        cprocess_exit(0)
    }

    private static func input() -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Int(HTTPRequest.sizes.upperBound) {
            let count = read(STDIN_FILENO, &block, block.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += block.prefix(count) } else if errno != EINTR { return nil }
        }
        return nil
    }

    private static func decode(_ bytes: [UInt8], _ width: Int32, _ height: Int32, _ say: ([UInt8]) -> Void) {
        guard let head = ImageHeader(bytes) else {
            return say(Array("no \(ImageHeader.refusal(of: bytes))\n".utf8))
        }
        guard head.isWhole else { return say(Array("no it is cut off\n".utf8)) }
        let kind: Int
        switch head.kind {
        case .jpeg: kind = CPICTURE_JPEG
        case .png: kind = CPICTURE_PNG
        case .gif: kind = CPICTURE_GIF
        case .webp: kind = CPICTURE_WEBP
        case .avif: return say(Array("no pictures of AVIF can be saved, and not shown\n".utf8))
        }
        var (across, down): (Int32, Int32) = (0, 0)
        var problem: UnsafePointer<CChar>?
        let pixels = cpicture_decode(
            Int32(kind), bytes, bytes.count, UInt64(ImageHeader.mostPixels), width, height, &across, &down, &problem)
        guard let pixels else {
            let text = problem.map { "no " + String(cString: $0) }
            say(Array("\(text ?? "missing " + String(cString: cpicture_package(Int32(kind))))\n".utf8))
            return
        }
        say(Array("pixels \(across) \(down)\n".utf8))
        say(Array(UnsafeBufferPointer(start: pixels, count: Int(across) * Int(down) * 4)))
    }
}
