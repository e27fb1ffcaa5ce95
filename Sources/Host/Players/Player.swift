// Plays the videos of a run, in its player page or with external programs. Programs treat an argument that begins with
// a hyphen as a flag.

import CProcess
import Files
import Glibc
import HostErrors
import WebClient

public enum Player {
    /// The absolute path of a program on PATH.
    ///
    /// - Throws: `.usage` when there is no such program.
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

    /// Checks that a port of this machine is free, before anything is searched.
    ///
    /// - Throws: `.server` when it is not.
    public static func check(port: UInt16) throws(HostError) {
        do throws(RedirectListener.Failure) { _ = try RedirectListener(port: Int(port)) } catch {
            throw .server(.port(error.port, reason: error.reason))
        }
    }

    /// Serves a page on this machine until it is closed.
    ///
    /// - Parameters:
    ///   - port: the port, or 0 for any free one.
    ///   - ready: called with the page's URL once the server is listening.
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

    /// Starts a program with these arguments, without waiting for it.
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

    /// Replaces this process with a program (exec).
    ///
    /// - Returns: the error, only when that fails.
    public static func become(_ path: String, _ arguments: [String]) -> HostError {
        let failure = withWords([path] + arguments) { cprocess_become(path, $0) }
        return .cannotRead(path: path, reason: "it cannot be started: " + String(cString: strerror(failure)))
    }
}
