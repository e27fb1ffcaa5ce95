// Archives at an address. The network needs threads, and children that are shut in may be started only where there are
// none: so a child fetches, and this process stays as it was.

import Basics
import CProcess
import HostErrors
import Sandbox
import Threads
import VideoServices
import WebClient

/// Messages from the child that downloads: the archive as the body, or why there is none.
private enum DownloadMessageKind: UInt8, Sendable {
    case archive, failure
}

enum PackageDownload {
    private static let seconds = 120.0

    /// Why a source is not asked that a project's lock names.
    static let privatePlace =
        "that leads to a private address, which only \(namers) may name"
    static let lockedSSH = "that goes by ssh, to where your settings for ssh lead, and only \(namers) may name it"
    private static let namers =
        "the command line (ythost plugin update PACKAGE --from SOURCE) or your own policy (signers = SOURCE FILE)"

    /// - Parameter isTyped: whether the user named the address, which may be on this machine or beside it then.
    /// - Throws: `.web` when no answer comes, `.package` for an answer that is none.
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
        // Where it leads on may be in public places alone.
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
