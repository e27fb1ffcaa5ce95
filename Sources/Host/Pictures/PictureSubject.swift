// A record's pictures, and the text lines in which a worker sends them. The worker is untrusted: the reader uses only
// the values in each line.

import Basics
import VideoModel

/// A record reduced to what its pictures need.
package struct PictureSubject: Sendable {
    /// The name that the user gave.
    package var name: String
    package var video: Video
    /// The pictures to try, best first.
    package var choices: [Thumbnail] = []

    package init(name: String, video: Video, choices: [Thumbnail] = []) {
        self.name = name
        self.video = video
        self.choices = choices
    }
}

extension PictureSubject {
    /// Parses the output of `writePictures`.
    package static func all(in text: String) -> [PictureSubject] {
        var subjects: [PictureSubject] = []
        var pictures: [FieldValue.Member] = []
        func settle() {
            guard let last = subjects.indices.last else { return }
            subjects[last].video[.thumbnails] = .record(pictures)
            pictures = []
        }
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            func cell(_ index: Int) -> String? {
                cells.indices.contains(index) && !cells[index].isEmpty ? cells[index] : nil
            }
            switch cells.first {
            case "video":
                settle()
                subjects.append(
                    PictureSubject(
                        name: cell(1) ?? cell(4) ?? cell(3) ?? "?",
                        video: Video([
                            .provider: FieldValue(cell(2)), .id: FieldValue(cell(3)), .url: FieldValue(cell(4)),
                            .title: FieldValue(cell(5)),
                        ])))
            case "picture":
                pictures.append(
                    .init(
                        cell(1) ?? "default",
                        .record([
                            .init("url", FieldValue(cell(2))),
                            .init("width", FieldValue(cell(3).flatMap { Int64($0) })),
                            .init("height", FieldValue(cell(4).flatMap { Int64($0) })),
                        ])))
            default: break
            }
        }
        settle()
        return subjects
    }
}
