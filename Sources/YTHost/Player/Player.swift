// Playing what a run finds: its page, and the programs that show it. What is easily got wrong: a program takes a word that
// begins with a hyphen for a flag of its own.

import CProcess
import Glibc
import VideoModel
import VideoServices
import WebClient

public enum Player {
    /// The absolute path of a program on PATH.
    public static func path(of name: String) throws(HostError) -> String {
        guard let path = OutsideWorld.program(name) else {
            throw .usage(
                "there is no program '\(name)' on PATH",
                hint: name == "xdg-open"
                    ? "without --open the page's path is printed; any browser opens it"
                    : "--with takes a program's name, such as mpv or vlc, or its whole path")
        }
        return path
    }

    /// What a run asks for, with the play word taken out.
    private static func asked(_ request: RunRequest) -> RunRequest {
        var request = request
        let text = request.arguments.joined(separator: " ")
        if let subject = PlaySentence.subject(of: text), !subject.isEmpty { request.arguments = [subject] }
        return request
    }

    /// The addresses of the first videos that a request finds.
    public static func addresses(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> [String] {
        var request = asked(request)
        request.product = .addresses
        let sink = MemorySink()
        _ = try host.runIsolated(request, to: sink)
        return sink.text.split(separator: "\n").map(String.init)
    }

    /// Writes the page of the first videos that a request finds.
    ///
    /// - Parameter mode: of the file; a page that nobody asked to have somewhere is for its owner alone.
    public static func writePage(
        _ request: RunRequest, _ host: ScriptHost, to path: String, mode: UInt32 = 0o600
    ) throws(HostError) {
        var request = asked(request)
        request.product = .player
        // A plan of calls is for the person who asked for it.
        let sink: any OutputSink =
            if request.isDry {
                DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
            } else { try FileSink(path: path, mode: mode) }
        _ = try host.runIsolated(request, to: sink)
    }

    /// The page of the first videos that a request finds; nil for a plan of calls, which is printed.
    public static func page(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> [UInt8]? {
        var request = asked(request)
        request.product = .player
        if request.isDry {
            _ = try host.runIsolated(request, to: DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output"))
            return nil
        }
        let sink = MemorySink()
        _ = try host.runIsolated(request, to: sink)
        return sink.bytes
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

    /// Where the page for a request goes in a folder, which is made: the same question has the same page.
    public static func page(in folder: String, for request: RunRequest) throws(HostError) -> String {
        try FileSystem.makeFolder(folder)
        let words = Text.fold(asked(request).arguments.joined(separator: " "))
        var name = ""
        for character in words.unicodeScalars {
            if character.properties.isAlphabetic || character.properties.numericType != nil {
                name.unicodeScalars.append(character)
            } else if !name.isEmpty, name.unicodeScalars.last != "-" {
                name.append("-")
            }
            if name.utf8.count > 80 { break }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return "\(folder)/\(name.isEmpty ? "player" : name).html"
    }

    /// Becomes a program, which gets these arguments; nothing of this process is left then.
    ///
    /// - Returns: why not.
    public static func become(_ path: String, _ arguments: [String]) -> HostError {
        let failure = withWords([path] + arguments) { cprocess_become(path, $0) }
        return .cannotRead(path: path, reason: "it cannot be started: " + String(cString: strerror(failure)))
    }
}
