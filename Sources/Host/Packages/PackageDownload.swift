// Downloads archives in a child process. Networking starts threads, and sandboxed children can be started only from a
// single-threaded process.

import Basics
import CProcess
import HostErrors
import Sandbox
import Threads
import VideoServices
import WebClient

/// Messages from the download process: the archive as the body, or the failure.
private enum DownloadMessageKind: UInt8, Sendable {
    case archive, failure
}

enum PackageDownload {
    private static let seconds = 120.0

    /// Reasons for refusing a source that only a project's lock names.
    static let privatePlace =
        "that leads to a private address, which only \(namers) may name"
    static let lockedSSH = "that goes by ssh, to where your settings for ssh lead, and only \(namers) may name it"
    private static let namers =
        "the command line (ythost plugin update PACKAGE --from SOURCE) or your own policy (signers = SOURCE FILE)"

    /// Downloads an archive.
    ///
    /// - Parameter isTyped: whether the user named the address. Only then may it be a private one.
    /// - Throws: `.web` when there is no response, `.package` for a status other than 2xx or a private address.
    static func bytes(of address: WebAddress, network: Network, isTyped: Bool) throws(HostError) -> [UInt8] {
        let child: SandboxedProcess<DownloadMessageKind>
        do throws(ProcessFault) {
            child = try SandboxedProcess.start { fetch(address, network, isTyped, $0) }
        } catch { throw .workerDied(error.reason) }
        let channel = child.channel
        channel.deadline = Clock.monotonic() + seconds + 5
        guard let message = channel.receive() else { throw .workerDied("it could not fetch \(address)") }
        guard message.kind == .archive else { throw HostError(failureWire: message.header) }
        return message.body
    }

    private static func fetch(
        _ address: WebAddress, _ network: Network, _ isTyped: Bool, _ channel: MessageChannel<DownloadMessageKind>
    ) -> Never {
        var request = WebRequest(.get, address)
        request.deadlines.total = seconds
        request.largestBody = ArchiveReader.largest
        // Redirects may lead only to public addresses.
        request.target = .open(except: isTyped ? HostPattern(address)?.endpoint.map { [$0] } ?? [] : [])
        do throws(WebError) {
            let response = try network.session.send(request)
            if (200..<300).contains(response.status) {
                _ = channel.send(Message(kind: .archive, body: response.body))
            } else {
                let fault = PackageFault.download(source: "\(address)", reason: "the answer is \(response.status)")
                _ = channel.send(Message(kind: .failure, header: HostError.package(fault).failureWire))
            }
        } catch {
            if error.isPrivateTarget {
                let fault = PackageFault.download(source: "\(address)", reason: privatePlace)
                _ = channel.send(Message(kind: .failure, header: HostError.package(fault).failureWire))
            } else {
                _ = channel.send(Message(kind: .failure, header: HostError.web(error, source: nil).failureWire))
            }
        }
        cprocess_exit(0)
    }
}

extension WebError {
    fileprivate var isPrivateTarget: Bool { if case .refusedTarget = self { true } else { false } }
}
