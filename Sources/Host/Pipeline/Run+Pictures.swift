// What `thumbnail` reads of a run: each record with the pictures that it tells, as lines of plain text. What is easily got
// wrong: a worker is not trusted, so whoever reads them believes no more than what each line says of itself.

import Basics
import HostErrors
import LuaAPI
import VideoModel

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
