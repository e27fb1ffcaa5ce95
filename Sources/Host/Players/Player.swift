// Playing what a run finds: its page, and the programs that show it. What is easily got wrong: a program takes a word that
// begins with a hyphen for a flag of its own.

import CProcess
import Files
import Glibc
import HostErrors
import WebClient

public enum Player {
    /// The absolute path of a program on PATH.
    public static func path(of name: String) throws(HostError) -> String {
        guard let path = SystemAccess.program(name) else {
            throw .usage(
                "there is no program '\(name)' on PATH",
                hint: name == "xdg-open"
                    ? "without --open the page's path is printed; any browser opens it"
                    : "--with takes a program's name, such as mpv or vlc, or its whole path")
        }
        return path
    }

    /// Whether a port of this machine is free, before anything is searched.
    public static func check(port: UInt16) throws(HostError) {
        do throws(RedirectListener.Failure) { _ = try RedirectListener(port: Int(port)) } catch {
            throw .server(.port(error.port, reason: error.reason))
        }
    }

    /// Serves a page at a port of this machine until it is closed.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - ready: is told the address once it answers there.
    public static func serve(
        _ page: [UInt8], port: UInt16, ready: (String) throws(HostError) -> Void
    ) throws(HostError) {
        let server: PageServer
        do throws(PageServer.Fault) { server = try PageServer(PlayerPage.served(page), port: port) } catch {
            throw .server(error)
        }
        defer { server.stop() }
        try ready(server.address)
        _ = server.waitUntilClosed()
    }

    /// Starts a program beside this one, which gets these arguments.
    public static func launch(_ path: String, _ arguments: [String]) throws(HostError) {
        let failure = withWords([path] + arguments) { cprocess_launch(path, $0) }
        if failure != 0 {
            throw .cannotRead(path: path, reason: "it cannot be started: " + String(cString: strerror(failure)))
        }
    }

    private static func withWords(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
    ) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        return body(words)
    }

    /// Becomes a program, which gets these arguments; nothing of this process is left then.
    ///
    /// - Returns: why not.
    public static func become(_ path: String, _ arguments: [String]) -> HostError {
        let failure = withWords([path] + arguments) { cprocess_become(path, $0) }
        return .cannotRead(path: path, reason: "it cannot be started: " + String(cString: strerror(failure)))
    }
}
