// The inputs of a run: files, and standard input.

import Files
import HostErrors

/// An input to read records from.
public enum RecordInput: Sendable, Equatable {
    /// A file, or a folder with all files in it.
    case file(String)
    /// A file found in a folder. It is skipped if its format is unknown or it cannot be read.
    case found(String)
    case standardInput

    package var name: String {
        switch self {
        case .file(let path), .found(let path): path
        case .standardInput: "standard input"
        }
    }

    package var isFound: Bool { if case .found = self { true } else { false } }
}

extension InputFile {
    package convenience init(_ input: RecordInput) throws(HostError) {
        switch input {
        case .standardInput: self.init(standardInput: ())
        case .file(let path), .found(let path): try self.init(path: path)
        }
    }
}
