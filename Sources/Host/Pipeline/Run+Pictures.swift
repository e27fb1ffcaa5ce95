// The record listing that `thumbnail` reads from a run: each record with its pictures, as lines of plain text. The
// worker that writes it is untrusted, so the reader must validate each line.

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
            // The record of a page has the requested address here.
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
