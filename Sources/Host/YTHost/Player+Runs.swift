// Runs whose result is played: the URLs or the player page of the videos that a request finds.

import Basics
import CProcess
import Files
import Glibc
import HostErrors
import Pipeline
import VideoModel

extension Player {
    /// The request without its play word.
    private static func asked(_ request: RunRequest) -> RunRequest {
        var request = request
        let text = request.arguments.joined(separator: " ")
        if let subject = PlayIntent.subject(of: text), !subject.isEmpty { request.arguments = [subject] }
        return request
    }

    /// The URLs of the first videos that a request finds.
    public static func addresses(_ request: RunRequest, _ host: ScriptHost) throws(HostError) -> [String] {
        var request = asked(request)
        request.product = .addresses
        let sink = MemorySink()
        _ = try host.runIsolated(request, to: sink)
        return sink.text.split(separator: "\n").map(String.init)
    }

    /// Writes the player page of the first videos that a request finds.
    ///
    /// - Parameter mode: the file's permissions. By default only the owner can read it.
    public static func writePage(
        _ request: RunRequest, _ host: ScriptHost, to path: String, mode: UInt32 = 0o600
    ) throws(HostError) {
        var request = asked(request)
        request.product = .player
        // A dry run prints its plan for the user.
        let sink: any OutputSink =
            if request.isDry {
                DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
            } else { try FileSink(path: path, mode: mode) }
        _ = try host.runIsolated(request, to: sink)
    }

    /// The player page of the first videos that a request finds; nil for a dry run, whose plan is printed.
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

    /// The path of the page for a request in a folder, which is created. The same query gives the same path.
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
