// What a parent hands out when the loader in its worker asks for a library: files of the list, and nothing else, whatever
// a worker that was taken over asks.

import CLibrary
import CProcess
import Glibc
import Testing

@testable import Files
@testable import HostErrors
@testable import JSON
@testable import Pipeline
@testable import Sandbox
@testable import VideoFormats
@testable import WorkerHost
@testable import YTHost

@Suite struct LibraryRequestTests {
    /// Serves these names, asked one after another as a worker would, then its end; whether each got a descriptor.
    private func answers(to names: [String]) throws -> [Int32?] {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let worker = WorkerChannel(descriptor: ends[1])
        for name in names { #expect(worker.send(WireMessage(kind: .library, body: Array(name.utf8))) == true) }
        #expect(worker.send(WireMessage(kind: .finished)) == true)

        var pipes: [Int32] = [-1, -1, -1]
        let path = strdup("/bin/true")
        defer { free(path) }
        let child = cprocess_spawn("/bin/true", [path, nil], &pipes)
        try #require(child > 0)
        cprocess_finish_program(child)
        defer { for pipe in pipes { close(pipe) } }
        let sink = MemorySink()
        let report = try Supervisor(
            worker: Worker(SandboxedProcess(id: child, channel: WorkerChannel(descriptor: ends[0]))),
            gate: Workbench([]).host.directGate(RunRequest(), sink, named: []), sink: sink, budgets: .none,
            outputDescriptor: -1
        ).serve()
        #expect(report.written == 0)
        return names.map { _ in received(from: worker) }
    }

    /// The descriptor that came with the next answer; nil for none.
    private func received(from worker: WorkerChannel) -> Int32? {
        var bytes = [UInt8](repeating: 0xFF, count: 9)
        var descriptor: Int32 = -1
        #expect(clibrary_receive(worker.descriptor, &bytes, bytes.count, &descriptor))
        #expect(bytes == [WorkerMessageKind.done.rawValue] + [UInt8](repeating: 0, count: 8))
        return descriptor < 0 ? nil : descriptor
    }

    @Test("a library of the list is handed out for reading alone")
    func listed() throws {
        let names = [CLIBRARY_SIMDJSON].map { String(cString: clibrary_file($0)) } + ["libstdc++.so.6", "libm.so.6"]
        for descriptor in try answers(to: names) {
            let file = try #require(descriptor)
            defer { close(file) }
            var magic = [UInt8](repeating: 0, count: 4)
            #expect(read(file, &magic, 4) == 4 && magic == [0x7F] + Array("ELF".utf8))
            #expect(fcntl(file, F_GETFL) & O_ACCMODE == O_RDONLY)
        }
    }

    @Test("any other request is refused, and the run ends as it would have")
    func refused() throws {
        let names = [
            "", "/etc/passwd", "../../../etc/passwd", "libc.so.6", "libm.so.6\0", "libm.so", "./libm.so.6",
            "/lib/x86_64-linux-gnu/libm.so.6", "libm.so.6/../../../etc/passwd", "LIBM.SO.6",
            String(repeating: "libm.so.6", count: 1000),
        ]
        #expect(try answers(to: names) == names.map { _ in nil })
    }

    @Test("a library that is not there is a matter of configuration, and names its package")
    func missing() throws {
        let package = String(cString: clibrary_package(CLIBRARY_SIMDJSON))
        let file = String(cString: clibrary_file(CLIBRARY_SIMDJSON))
        let error = JSONError(offset: 0, line: 1, column: 1, reason: .noParser(file: file, package: package))
        let report = try #require(HostError.format(input: "x", .malformed(error)).report)
        #expect(report.code == .configuration)
        #expect(report.message.contains(file))
        #expect(report.hint == "install it: apt-get install \(package)")
    }
}
