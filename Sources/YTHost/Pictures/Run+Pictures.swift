// What `thumbnail` reads of a run: each record with the pictures that it tells, as lines of plain text. What is easily got
// wrong: a worker is not trusted, so whoever reads them believes no more than what each line says of itself.

import VideoModel

/// A record as far as its pictures go.
struct PictureSubject: Sendable {
    /// What the user called it.
    var name: String
    var video: Video
    /// The pictures to try, best first.
    var choices: [Thumbnail] = []
}

extension Run {
    /// - Throws: `.nothingMatched` when there is no record.
    func writePictures(_ records: CountedStream) throws(HostError) {
        var count = 0
        while let video = try records.next() {
            count += 1
            // A page's record has the address that was asked for.
            let origin = video[.foundIn].list?.last
            let asked = origin?["source"].text == "web" ? origin?["query"].text : nil
            try write(["video", asked, video.provider, video.id, video.url, video.title])
            for picture in video.thumbnails where Escape.webAddress(picture.url) != nil {
                try write([
                    "picture", picture.name, picture.url, picture.width?.description, picture.height?.description,
                ])
            }
        }
        if count == 0 { throw .nothingMatched }
    }

    private func write(_ cells: [String?]) throws(HostError) {
        let line = cells.map { cell in
            String(Text.clean(cell ?? "").unicodeScalars.map { $0 == "\t" ? " " : Character($0) })
        }
        try output.append(line.joined(separator: "\t").utf8)
        try output.endLine()
    }
}

extension PictureSubject {
    /// Reads what `writePictures` wrote.
    static func all(in text: String) -> [PictureSubject] {
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
