// The records of a page.

import VideoFormats
import VideoModel

extension SearchPage {
    /// The records of the body, how many were skipped, and why the first of them was. Lines in the sample library's form
    /// are read without the JSON parser, with the same result.
    public func contents() throws(FormatError) -> (records: [Video], skipped: Int, first: SkippedRecord?) {
        if format == "ythost", let lines = SampleLines(body) { return (lines.records, 0, nil) }
        let reader = try RecordReader(as: format)
        let records = try reader.feed(body) + reader.finish()
        return (records, reader.skippedCount, reader.skipped.first)
    }

    /// The records of the body.
    public func records() throws(FormatError) -> [Video] { try contents().records }
}
