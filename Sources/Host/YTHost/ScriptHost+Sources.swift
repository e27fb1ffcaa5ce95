// Expands files that list feeds, channels and playlists. Lists are untrusted, so each is read by a separate run.

import Files
import HostErrors
import Pipeline

extension ScriptHost {
    /// The largest plain-text list, in bytes.
    private static let longestList = 4 << 20
    /// The most skipped lines that are logged one by one.
    private static let mostTold = 10
    /// The most sources per run.
    private static let mostOrigins = 10_000

    /// Replaces each list file by the sources in it, and removes duplicates.
    ///
    /// - Parameter run: performs a run that reads a list file.
    /// - Throws: `.usage` for an empty list or too many sources, `.cannotRead`.
    package func expanded(
        _ origins: [FeedSource],
        _ run: (RunRequest, any OutputSink) throws(HostError) -> Void
    ) throws(HostError) -> [FeedSource] {
        var expanded: [FeedSource] = []
        for origin in origins {
            guard case .list(let path) = origin else {
                expanded.append(origin)
                continue
            }
            let listed = try listed(in: path, run)
            if listed.isEmpty { throw .usage("\(path) lists no feed, channel or playlist") }
            expanded += listed
        }
        var seen: Set<String> = []
        expanded = expanded.filter { seen.insert($0.line).inserted }
        guard expanded.count <= Self.mostOrigins else {
            throw .usage("\(expanded.count) origins are more than the \(Self.mostOrigins) that a run may have")
        }
        return expanded
    }

    private func listed(
        in path: String, _ run: (RunRequest, any OutputSink) throws(HostError) -> Void
    ) throws(HostError) -> [FeedSource] {
        guard FileSystem.isFile(path) else {
            throw .cannotRead(
                path: path,
                reason: FileSystem.exists(path)
                    ? "it is no file" : "there is no such file; --from takes feed:URL, channel:REF or playlist:REF, too"
            )
        }
        if Formats.suffix(ofFile: path) == "txt" {
            let bytes = try FileSystem.read(path, limit: Self.longestList)
            let (origins, bad) = FeedSource.lines(String(decoding: bytes, as: UTF8.self))
            if let first = bad.first, origins.isEmpty {
                throw .usage(
                    "\(path):\(first.number): \(first.reason)",
                    hint: "no line of it names a place to read: \(FeedSource.lineForms)")
            }
            for line in bad.prefix(Self.mostTold) {
                log(.warning, "left out \(path):\(line.number): \(line.reason)")
            }
            if bad.count > Self.mostTold {
                log(.warning, "left out \(bad.count - Self.mostTold) more lines of \(path) that name no place to read")
            }
            return origins
        }
        var request = RunRequest()
        request.inputs = [.file(path)]
        request.product = .origins
        let sink = MemorySink()
        try run(request, sink)
        return FeedSource.lines(sink.text).origins
    }
}
