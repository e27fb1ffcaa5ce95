// Runs whose result is played: the addresses or the player page of the videos that a request finds.

import Basics
import CProcess
import Files
import Glibc
import HostErrors
import Pipeline
import VideoModel

extension Player {
    /// What a run asks for, with the play word taken out.
    private static func asked(_ request: RunRequest) -> RunRequest {
        var request = request
        let text = request.arguments.joined(separator: " ")
        if let subject = PlayIntent.subject(of: text), !subject.isEmpty { request.arguments = [subject] }
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
}
