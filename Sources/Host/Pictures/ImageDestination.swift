// Destinations of fetched pictures: atomically written files, or standard output.

import Files
import Glibc
import HostErrors
import VideoModel

/// Where pictures are written.
public enum ImageDestination: Sendable {
    case output
    case file(String)
    case folder(String)

    /// - Parameters:
    ///   - path: `-` or nil for standard output. A path with an image suffix (`.jpg`, `.png` …) is a file, and so is an
    ///     existing file unless several pictures are expected. Any other path is a folder, which is created.
    ///   - count: the number of pictures; nil when it is not known yet.
    /// - Throws: `.usage` for an impossible destination, before anything is fetched.
    public init(_ path: String?, count: Int?) throws(HostError) {
        switch path {
        case nil, "-"?:
            self = .output
            if let count { try check(count) }
        case let path?:
            let isPicture = Thumbnail.Kind.said(by: "https://picture/" + (path.split(separator: "/").last ?? "")) != nil
            let isFile = FileSystem.exists(path) && count ?? 1 == 1
            if !path.hasSuffix("/"), !FileSystem.isFolder(path), isPicture || isFile {
                self = .file(path)
                if let count { try check(count) }
                return
            }
            try FileSystem.makeFolder(path, mode: 0o777)
            guard FileSystem.isFolder(path) else {
                throw .usage("\(path) is no folder, and several pictures need one", hint: "-o FOLDER")
            }
            self = .folder(path.hasSuffix("/") ? String(path.dropLast()) : path)
        }
    }

    /// - Throws: `.usage` for more than one picture without a folder.
    public func check(_ count: Int) throws(HostError) {
        if case .folder = self { return }
        guard count > 1 else { return }
        throw .usage("several pictures need a folder", hint: "-o FOLDER; it is made when there is none")
    }

    /// The file path of a picture; nil for standard output.
    public func file(of outcome: ThumbnailOutcome) -> String? {
        switch self {
        case .output: nil
        case .file(let path): path
        case .folder(let folder): "\(folder)/\(outcome.stem).\(outcome.suffix)"
        }
    }

    /// Writes a picture.
    public func write(_ outcome: ThumbnailOutcome) throws(HostError) {
        guard let path = file(of: outcome) else {
            return try DescriptorSink.write(outcome.bytes, to: STDOUT_FILENO, name: "standard output")
        }
        // The names in a folder are not the user's: a link of such a name may lead anywhere.
        let isChosen = if case .folder = self { false } else { true }
        let sink = try FileSink(path: path, isChosen: isChosen)
        try sink.write(outcome.bytes)
        try sink.commit()
    }

    /// A header and one row per written picture. Empty for standard output, which holds the picture itself.
    public func rows(_ outcomes: [ThumbnailOutcome]) -> [[String]] {
        let rows = outcomes.compactMap { outcome -> [String]? in
            guard outcome.failure == nil, outcome.writing == nil, let file = file(of: outcome) else { return nil }
            return [file, "\(outcome.width)x\(outcome.height)", outcome.kind, "\(outcome.count)", outcome.name]
        }
        return rows.isEmpty ? [] : [["FILE", "SIZE", "KIND", "BYTES", "OF"]] + rows
    }
}
